import cronstrue from 'cronstrue';
import { type Cron } from './cron.js';
import { canonicalList } from './cron-canonical.js';
import { type CronField } from './cron-fields.js';
import { type KnownCron, knownCron } from './known-crons.js';

/** The number of values of each field, in the order of an expression; Sunday counts once. */
const SIZES = { minute: 60, hour: 24, day: 31, month: 12, weekday: 7 } as const;

/** A schedule in English, e.g. `At 09:00, Monday through Friday`. It does not name the time zone. */
export function cronWords({ expression }: Pick<Cron, 'expression'>): string {
  const known = knownCron(expression);
  return (known.words ??= wordsOf(expression, known));
}

function wordsOf(expression: string, { fields, bothDays }: KnownCron): string {
  const texts = expression.trim().split(/[ \t]+/);
  const [minute, hour, day, month, weekday] = Object.entries(SIZES).map(([name, size], index) =>
    plain(texts[index]!, fields[name as keyof typeof SIZES], size),
  );
  const isDaily = !bothDays && (day === '*' || weekday === '*');
  const days = isDaily ? ['*', month, '*'] : [day, month, weekday];
  return cronstrue.toString([minute, hour, ...days].join(' '), {
    use24HourTimeFormat: true,
    // Adds `every day`, which is redundant for schedules that fire all day long.
    verbose: hour !== '*',
    logicalAndDayFields: bothDays,
  });
}

/** Simplifies a field: the library describes `*,5`, `*\/60` and `1,1,1` literally. */
function plain(text: string, { values, isWordy }: CronField, size: number): string {
  if (values.length === size) return '*';
  return values.length === 1 || isWordy ? canonicalList(values) : text;
}
