import cronstrue from 'cronstrue';
import { type Cron } from './cron.js';
import { type CronField, parseFields } from './cron-fields.js';

/** How many values each field has, in the order they are written; Sunday counts once. */
const SIZES = { minute: 60, hour: 24, day: 31, month: 12, weekday: 7 } as const;

/** A schedule in English, e.g. `At 09:00, Monday through Friday`, on the clocks of its time zone, which it doesn't name. */
export function cronWords({ expression }: Pick<Cron, 'expression'>): string {
  const fields = parseFields(expression);
  const texts = expression.trim().split(/[ \t]+/);
  const [minute, hour, day, month, weekday] = Object.entries(SIZES).map(([name, size], index) =>
    plain(texts[index]!, fields[name as keyof typeof SIZES], size),
  );
  // Vixie: a day that starts with `*` must match together with the weekday; of two plain ones either does.
  const bothDays = fields.day.star || fields.weekday.star;
  const isDaily = !bothDays && (day === '*' || weekday === '*');
  const days = isDaily ? ['*', month, '*'] : [day, month, weekday];
  return cronstrue.toString([minute, hour, ...days].join(' '), {
    use24HourTimeFormat: true,
    // Says `every day`, which goes without saying of what happens all day long.
    verbose: hour !== '*',
    logicalAndDayFields: bothDays,
  });
}

/** The field with less said in it: the library takes `*,5` and `*\/60` word by word. */
function plain(text: string, { values }: CronField, size: number): string {
  if (values.length === size) return '*';
  return values.length === 1 ? String(values[0]) : text;
}
