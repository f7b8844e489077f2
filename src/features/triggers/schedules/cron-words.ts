import cronstrue from 'cronstrue';
import { type Cron } from './cron.js';
import { type CronField, parseFields } from './cron-fields.js';

/** The number of values of each field, in the order of an expression; Sunday counts once. */
const SIZES = { minute: 60, hour: 24, day: 31, month: 12, weekday: 7 } as const;

/** A schedule in English, e.g. `At 09:00, Monday through Friday`. It does not name the time zone. */
export function cronWords({ expression }: Pick<Cron, 'expression'>): string {
  const fields = parseFields(expression);
  const texts = expression.trim().split(/[ \t]+/);
  const [minute, hour, day, month, weekday] = Object.entries(SIZES).map(([name, size], index) =>
    plain(texts[index]!, fields[name as keyof typeof SIZES], size),
  );
  // Vixie cron: if the day or the weekday starts with `*`, both must match; otherwise either is enough.
  const bothDays = fields.day.star || fields.weekday.star;
  const isDaily = !bothDays && (day === '*' || weekday === '*');
  const days = isDaily ? ['*', month, '*'] : [day, month, weekday];
  return cronstrue.toString([minute, hour, ...days].join(' '), {
    use24HourTimeFormat: true,
    // Adds `every day`, which is redundant for schedules that fire all day long.
    verbose: hour !== '*',
    logicalAndDayFields: bothDays,
  });
}

/** Simplifies a field: the library describes `*,5` and `*\/60` literally. */
function plain(text: string, { values }: CronField, size: number): string {
  if (values.length === size) return '*';
  return values.length === 1 ? String(values[0]) : text;
}
