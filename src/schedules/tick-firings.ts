import { type Firing } from '../runs/firings.js';
import { scheduleOf, type Ticks, ticksSince } from '../triggers/schedule-ticks.js';
import { type DueTrigger } from './due-triggers.js';

/** What is to be written of one trigger that was looked at. */
export interface Look {
  uuid: string;
  /** Ascending: what was missed, then what is due. */
  firings: Firing[];
  /** From when on its next ticks are looked for. */
  ticksFrom: Date;
  /** Why its ticks could not be found. */
  error?: unknown;
}

/** When a trigger whose ticks can't be found is looked at again. */
const AGAIN_MS = 3_600_000;

/** Looks at many triggers; those of the same schedule since the same moment are worked out once. */
export function lookAt(triggers: readonly DueTrigger[], now: Date): Look[] {
  const known = new Map<string, Ticks>();
  return triggers.map((trigger) => {
    const { uuid, ticksFrom } = trigger;
    const schedule = scheduleOf(trigger.config);
    const key = JSON.stringify([schedule, ticksFrom]);
    try {
      const ticks = known.get(key) ?? ticksSince(schedule, ticksFrom, now);
      known.set(key, ticks);
      return { uuid, firings: firingsOf(uuid, ticks), ticksFrom: ticks.next };
    } catch (error) {
      return { uuid, firings: [], ticksFrom: new Date(now.getTime() + AGAIN_MS), error };
    }
  });
}

function firingsOf(triggerUuid: string, { missed, due }: Ticks): Firing[] {
  const firings: Firing[] = due.map((tick) => {
    const time = tick.toISOString();
    return { triggerUuid, input: JSON.stringify({ scheduled_for: time }), key: time, hops: 0, scheduledFor: tick };
  });
  if (missed === undefined) return firings;
  const { count, first, last } = missed;
  return [
    { triggerUuid, input: JSON.stringify({ missed: count, first, last }), key: null, hops: 0, missed: true },
    ...firings,
  ];
}
