import { describe, expect, it } from '@jest/globals';
import cronstrue from 'cronstrue';
import { hydrate } from '../../src/platform/db/columns.js';
import { scheduleOf } from '../../src/features/triggers/schedules/schedule-ticks.js';
import { Trigger } from '../../src/features/triggers/trigger.entity.js';
import { countedCalls } from '../support/runner/counted-calls.js';

const at = (time: string) => new Date(`2026-11-21T${time}:00Z`);

/** A row as it is read from the database. */
function row(cron: string): Trigger {
  const [trigger] = hydrate(Trigger, [
    {
      uuid: crypto.randomUUID(),
      type: 'schedule',
      schedule: scheduleOf({ cron, timezone: 'Europe/Berlin' }),
      ticksFrom: at('10:00'),
      updatedAt: at('09:00'),
      readAt: at('10:00'),
      unreadable: null,
    },
  ]);
  return trigger!;
}

describe('a trigger of which a document selects a field under many aliases', () => {
  it.each(['nextFireAt', 'etag', 'scheduleInWords'] as const)('computes its %s once', (field) => {
    const trigger = row('17 4 29 2 */7');
    const all = () => Array.from({ length: 16 }, () => trigger[field]);
    // `nextTickOf` needs the clock of the time zone.
    const clocks = () => countedCalls(Intl.DateTimeFormat.prototype, 'formatToParts', () => void all());
    clocks();
    expect([clocks(), countedCalls(JSON, 'stringify', all), countedCalls(cronstrue, 'toString', all)]).toEqual([
      0, 0, 0,
    ]);
    expect(new Set(all().map(String)).size).toBe(1);
  });

  it('computes the next tick again when another time, schedule or moment was set', () => {
    const trigger = row('* * * * *');
    expect(trigger.nextFireAt).toEqual(at('10:00'));
    trigger.ticksFrom = at('10:05');
    expect(trigger.nextFireAt).toEqual(at('10:05'));
    const { etag } = trigger;
    trigger.schedule = scheduleOf({ cron: '30 * * * *' });
    expect(trigger.nextFireAt).toEqual(at('10:30'));
    expect(trigger.etag).not.toBe(etag);
    trigger.readAt = at('11:00');
    expect(trigger.nextFireAt).toEqual(at('11:30'));
    trigger.ticksFrom = null;
    expect(trigger.nextFireAt).toBeNull();
  });
});
