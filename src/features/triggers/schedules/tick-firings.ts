import { type Firing } from '../../runs/queue/firings.js';
import { scheduleOf, type Ticks, ticksSince } from './schedule-ticks.js';
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

/** After a long absence the ticks of a thousand different schedules take seconds, in which nothing else would move. */
const LOOKING_MS = 200;

/**
 * Looks at triggers, in their order and at as many as a fifth of a second allows, one at least. Those of the same
 * schedule since the same moment are worked out once.
 */
export function lookAt(triggers: readonly DueTrigger[], now: Date): Look[] {
  const known = new Map<string, Ticks>();
  const looks: Look[] = [];
  const end = performance.now() + LOOKING_MS;
  for (const trigger of triggers) {
    looks.push(lookAtOne(trigger, now, known));
    if (performance.now() > end) break;
  }
  return looks;
}

function lookAtOne({ uuid, config, ticksFrom }: DueTrigger, now: Date, known: Map<string, Ticks>): Look {
  const schedule = scheduleOf(config);
  const key = JSON.stringify([schedule, ticksFrom]);
  try {
    const ticks = known.get(key) ?? ticksSince(schedule, ticksFrom, now);
    known.set(key, ticks);
    return { uuid, firings: firingsOf(uuid, ticks), ticksFrom: ticks.next };
  } catch (error) {
    return { uuid, firings: [], ticksFrom: new Date(now.getTime() + AGAIN_MS), error };
  }
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
