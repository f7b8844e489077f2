import { describe, expect, it } from '@jest/globals';
import {
  nextTickOf,
  type Schedule,
  scheduleOf,
  ticksSince,
} from '../../src/features/triggers/schedules/schedule-ticks.js';

const at = (time: string) => new Date(`2026-11-21T${time}${time.length === 5 ? ':00' : ''}.000Z`);
const schedule = (cron: string, catchUp: 'none' | 'last' = 'none', timezone = 'UTC'): Schedule => ({
  cron,
  timezone,
  catchUp,
});
const EACH_MINUTE = '* * * * *';

describe('the ticks since a moment', () => {
  it('are none before the first is due', () => {
    const ticks = ticksSince(schedule(EACH_MINUTE), at('10:01'), at('10:00:59'));
    expect(ticks).toEqual({ missed: undefined, due: [], next: at('10:01') });
    // From when to look need not be a tick itself.
    expect(ticksSince(schedule(EACH_MINUTE), at('10:00:20'), at('10:00:30')).next).toEqual(at('10:01'));
  });

  it('are due for 60 seconds, these included', () => {
    const ticks = ticksSince(schedule(EACH_MINUTE), at('10:01'), at('10:02'));
    expect(ticks).toEqual({ missed: undefined, due: [at('10:01'), at('10:02')], next: at('10:03') });
    expect(ticksSince(schedule('1 10 * * *'), at('10:01'), at('10:01:59')).due).toEqual([at('10:01')]);
  });

  it('are missed after that, while the next ones fire as ever', () => {
    const now = new Date(at('10:20:30').getTime() + 1);
    expect(ticksSince(schedule(EACH_MINUTE), at('10:01'), now)).toEqual({
      missed: { count: 19, first: at('10:01'), last: at('10:19') },
      due: [at('10:20')],
      next: at('10:21'),
    });
    expect(ticksSince(schedule('*/5 * * * *'), at('10:05'), at('10:18'))).toEqual({
      missed: { count: 3, first: at('10:05'), last: at('10:15') },
      due: [],
      next: at('10:20'),
    });
  });

  it('fire once more, the last one, when it is to catch up', () => {
    expect(ticksSince(schedule('*/5 * * * *', 'last'), at('10:05'), at('10:18'))).toEqual({
      missed: { count: 2, first: at('10:05'), last: at('10:10') },
      due: [at('10:15')],
      next: at('10:20'),
    });
    expect(ticksSince(schedule('5 * * * *', 'last'), at('10:05'), at('10:18'))).toEqual({
      missed: undefined,
      due: [at('10:05')],
      next: at('11:05'),
    });
  });

  it('fire no missed one beside one that is due', () => {
    expect(ticksSince(schedule(EACH_MINUTE, 'last'), at('10:01'), at('10:04:30'))).toEqual({
      missed: { count: 3, first: at('10:01'), last: at('10:03') },
      due: [at('10:04')],
      next: at('10:05'),
    });
  });

  it('follow the clocks of the time zone', () => {
    // Berlin puts its clocks forward at 01:00 UTC of 29 March 2026: 02:30 does not occur, and fires at 03:00.
    const berlin = schedule('30 2 * * *', 'none', 'Europe/Berlin');
    const ticks = ticksSince(berlin, new Date('2026-03-28T01:30:00Z'), new Date('2026-03-29T01:00:10Z'));
    expect(ticks).toEqual({
      missed: { count: 1, first: new Date('2026-03-28T01:30:00Z'), last: new Date('2026-03-28T01:30:00Z') },
      due: [new Date('2026-03-29T01:00:00Z')],
      next: new Date('2026-03-30T00:30:00Z'),
    });
  });
});

describe('the next tick', () => {
  it('is the one that fires, also while it is overdue', () => {
    expect(nextTickOf(schedule(EACH_MINUTE), at('10:01'), at('10:01:40'))).toEqual(at('10:01'));
    expect(nextTickOf(schedule('5 * * * *'), at('10:05'), at('10:18'))).toEqual(at('11:05'));
    expect(nextTickOf(schedule('5 * * * *', 'last'), at('10:05'), at('10:18'))).toEqual(at('10:05'));
  });

  it('is unknown in a time zone that this runtime lacks', () => {
    expect(nextTickOf(schedule(EACH_MINUTE, 'none', 'Mars/Olympus'), at('10:01'), at('10:01'))).toBeNull();
  });
});

describe('the schedule of a config', () => {
  it('fills in defaults', () => {
    expect(scheduleOf({ cron: '0 9 * * *', note: 1 })).toEqual(schedule('0 9 * * *'));
    const config = { cron: '0 9 * * *', timezone: 'Asia/Tokyo', catch_up: 'last' };
    expect(scheduleOf(config)).toEqual(schedule('0 9 * * *', 'last', 'Asia/Tokyo'));
  });
});
