/** An invalid expression. The message says in one sentence what is wrong, where, and what was expected. */
export class CronError extends Error {
  override readonly name = 'CronError';
}

/** One field, expanded to its values. */
export interface CronField {
  /** Ascending, each once. */
  values: number[];
  /** Vixie cron's flag: the field starts with `*`, also as in `*\/2`. */
  star: boolean;
  /** Whether its list is longer than that of `canonicalList` needs to be: it names a value twice, or has many parts. */
  isWordy: boolean;
}

/** The five fields of an expression. */
export interface CronFields {
  minute: CronField;
  hour: CronField;
  day: CronField;
  month: CronField;
  weekday: CronField;
}

interface FieldKind {
  label: string;
  low: number;
  high: number;
  /** The number of distinct values, which is the largest step: 0 and 7 are the same weekday. */
  count: number;
  names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const KINDS: Record<keyof CronFields, FieldKind> = {
  minute: { label: 'Minute', low: 0, high: 59, count: 60 },
  hour: { label: 'Hour', low: 0, high: 23, count: 24 },
  day: { label: 'Day', low: 1, high: 31, count: 31 },
  month: { label: 'Month', low: 1, high: 12, count: 12, names: MONTHS },
  weekday: { label: 'Weekday', low: 0, high: 7, count: 7, names: WEEKDAYS },
};

const MAX_LENGTH = 1_000;
/** A list with more parts is wordy. The months have twelve names. */
const MANY_PARTS = 12;

/** Parses five fields by Vixie cron's grammar, without extensions. @throws CronError for anything else. */
export function parseFields(expression: string): CronFields {
  if (expression.length > MAX_LENGTH) throw new CronError(`A cron expression has at most ${MAX_LENGTH} characters.`);
  const texts = expression.split(/[ \t]+/).filter((text) => text !== '');
  const [minute, hour, day, month, weekday] = texts;
  if (texts.length !== 5 || !minute || !hour || !day || !month || !weekday) {
    throw new CronError(
      `Cron ${quote(expression)} has ${texts.length} ${texts.length === 1 ? 'field' : 'fields'}: expected 5 (minute hour day month weekday).`,
    );
  }
  return {
    minute: parseField(minute, KINDS.minute, expression),
    hour: parseField(hour, KINDS.hour, expression),
    day: parseField(day, KINDS.day, expression),
    month: parseField(month, KINDS.month, expression),
    weekday: parseField(weekday, KINDS.weekday, expression),
  };
}

/** The expression for a message: quoted, with control characters escaped. */
export function quote(expression: string): string {
  return JSON.stringify(expression);
}

function parseField(text: string, kind: FieldKind, expression: string): CronField {
  const parts = text.split(',');
  const has = new Array<boolean>(kind.high + 1).fill(false);
  let named = 0;
  for (const part of parts) {
    const { from, to, step } = parsePart(part, kind, expression);
    for (let value = from; value <= to; value += step, named += 1)
      has[kind === KINDS.weekday ? value % 7 : value] = true;
  }
  const values = has.flatMap((isIn, value) => (isIn ? [value] : []));
  return { values, star: text.startsWith('*'), isWordy: named > values.length || parts.length > MANY_PARTS };
}

const PART = /^(?:(?<star>\*)|(?<first>\d+|[a-z]{3})(?:-(?<last>\d+|[a-z]{3}))?)(?:\/(?<step>\d+))?$/i;

function parsePart(part: string, kind: FieldKind, expression: string) {
  const { star, first, last, step } = PART.exec(part)?.groups ?? {};
  const where = () => `in cron ${quote(expression)}`;
  if (star === undefined && first === undefined) {
    const what = part === '' ? `has an empty part` : `${quote(part)} is not understood`;
    throw new CronError(`${kind.label} ${what} ${where()}: expected ${expectation(kind)}.`);
  }
  if (step !== undefined && star === undefined && last === undefined) {
    throw new CronError(
      `${kind.label} ${quote(part)} has a step without a range ${where()}: expected ${first}-${kind.high}/${step} or */${step}.`,
    );
  }
  if (step !== undefined && (Number(step) < 1 || Number(step) > kind.count)) {
    throw new CronError(`${kind.label} step ${step} is out of range ${where()}: expected 1-${kind.count}.`);
  }
  const from = first === undefined ? kind.low : parseValue(first, kind, expression);
  let to = first === undefined ? kind.high : parseValue(last ?? first, kind, expression);
  // In `sat-sun` the week ends on Sunday, which is also 7.
  if (last?.toLowerCase() === 'sun' && from > 0) to = 7;
  if (from > to)
    throw new CronError(`${kind.label} range ${part} runs backwards ${where()}: expected the lower end first.`);
  return { from, to, step: step === undefined ? 1 : Number(step) };
}

function parseValue(word: string, kind: FieldKind, expression: string): number {
  const named = kind.names?.indexOf(word.toLowerCase()) ?? -1;
  const value = named >= 0 ? named + (kind.low === 1 ? 1 : 0) : Number(word);
  if (Number.isNaN(value)) {
    throw new CronError(
      `${kind.label} ${quote(word)} is not understood in cron ${quote(expression)}: expected ${expectation(kind)}.`,
    );
  }
  if (value < kind.low || value > kind.high) {
    throw new CronError(
      `${kind.label} ${word} is out of range in cron ${quote(expression)}: expected ${kind.low}-${kind.high}.`,
    );
  }
  return value;
}

function expectation({ low, high, names }: FieldKind): string {
  const words = names ? ` or ${names[0]}-${names.at(-1)}` : '';
  return `*, ${low}-${high}${words}, ranges (a-b), steps (*/n, a-b/n) and lists of these (a,b)`;
}
