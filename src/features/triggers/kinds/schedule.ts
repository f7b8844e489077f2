import { CronError, isTimeZone, nextFire, parseCron } from '../schedules/cron.js';
import { type TriggerConfig } from '../trigger-config.js';
import { type ConfigFaults, defineTriggerKind } from '../define-trigger-kind.js';

const CATCH_UP = ['none', 'last'];

/** Fires on a cron expression: `cron`, `timezone` (IANA, UTC when absent), `catch_up` (`none` when absent, or `last`). */
export const schedule = defineTriggerKind({
  type: 'schedule',
  description: 'Fires at the times that a cron expression names.',
  keys: {
    cron: {
      required: true,
      about:
        'Five fields: minute, hour, day of month, month, day of week. Each is `*`, a number, a list (`1,15`), a range (`1-5`) or a step (`*/10`); months and days of the week have names too (`jan`, `mon`), and Sunday is 0 or 7. If both days are restricted, a match of one is enough. The service refuses six fields, nicknames such as `@daily`, and expressions that never occur (`0 0 31 2 *`).',
      schema: { type: 'string', examples: ['0 9 * * 1-5'] },
    },
    timezone: {
      required: false,
      about: 'The IANA time zone of the expression, e.g. `Europe/Berlin`. Default: UTC.',
      schema: { type: 'string', default: 'UTC', examples: ['Europe/Berlin'] },
    },
    catch_up: {
      required: false,
      about:
        'What happens after ticks at which no worker was running, or the account had stored as much as it may. `none` (default): one skipped run with the reason `missed` represents all of them. `last`: the latest tick fires late, with its own `scheduled_for`, and one skipped run represents the earlier ones.',
      schema: { type: 'string', enum: CATCH_UP, default: 'none' },
    },
  },
  hasHook: false,
  validate(config: TriggerConfig, { now, faults }) {
    const { cron, timezone = 'UTC', catch_up: catchUp = 'none' } = config;
    const zone = typeof timezone === 'string' && isTimeZone(timezone) ? timezone : undefined;
    if (zone === undefined) faults.add('timezone', 'must be an IANA time zone such as "Europe/Berlin"');
    if (!CATCH_UP.includes(catchUp as string)) faults.add('catch_up', 'must be none or last');
    const next = typeof cron === 'string' ? firstTick(cron, zone, now, faults) : undefined;
    if (cron === undefined) faults.add('cron', 'is required: five fields, e.g. "0 9 * * 1-5"');
    else if (typeof cron !== 'string') faults.add('cron', 'must be a text of five fields, e.g. "0 9 * * 1-5"');
    faults.refuse();
    return { ticksFrom: next! };
  },
});

function firstTick(cron: string, zone: string | undefined, now: Date, faults: ConfigFaults): Date | undefined {
  try {
    return nextFire(parseCron(cron, zone), now);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    faults.add('cron', error.message);
    return undefined;
  }
}
