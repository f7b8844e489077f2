import { CronError, isTimeZone, nextFire, parseCron } from '../schedules/cron.js';
import { type TriggerConfig } from '../trigger-config.js';
import { ConfigFaults, defineTriggerKind } from '../define-trigger-kind.js';

const CATCH_UP = ['none', 'last'];

/** Fires on a cron expression: `cron`, `timezone` (IANA, UTC when absent), `catch_up` (`none` when absent, or `last`). */
export const schedule = defineTriggerKind({
  type: 'schedule',
  hasHook: false,
  validate(config: TriggerConfig, { now }) {
    const { cron, timezone = 'UTC', catch_up: catchUp = 'none' } = config;
    const faults = new ConfigFaults();
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
