import { Pace } from '../../../platform/admission/pace.js';
import { type Firing } from '../../runs/queue/firings.js';
import { type Ticks, ticksSince } from './schedule-ticks.js';
import { type DueTrigger } from './due-triggers.js';

/** What to write for one checked trigger. */
export interface Look {
  uuid: string;
  /** Ascending: missed ticks, then due ones. */
  firings: Firing[];
  /** The time from which its next tick is computed. */
  ticksFrom: Date;
  /** Why its ticks could not be computed. */
  error?: unknown;
}

/** Wait before a trigger whose ticks could not be computed is checked again. */
const AGAIN_MS = 3_600_000;

/** The number of schedules whose ticks are computed in one turn of the event loop. */
export const AT_ONCE = 20;

/**
 * Time limit of one check, during which the triggers are locked: after a long downtime, a thousand different schedules
 * take seconds.
 */
const LOOKING_MS = 100;

/** The same for one turn of the event loop. */
const TURN_MS = 10;

/**
 * Computes the ticks of triggers in order, for as many as fit into a tenth of a second, but at least one. Other work of
 * the process runs in between. Equal schedules since the same time are computed once.
 * `time`: a clock in milliseconds.
 */
export async function lookAt(
  triggers: readonly DueTrigger[],
  now: Date,
  time = () => performance.now(),
): Promise<Look[]> {
  const known = new Map<string, Ticks>();
  const looks: Look[] = [];
  const pace = new Pace(AT_ONCE);
  const end = time() + LOOKING_MS;
  let turnEnd = time() + TURN_MS;
  for (const trigger of triggers) {
    if (pace.isTired || time() > turnEnd) {
      await pace.rest();
      turnEnd = time() + TURN_MS;
    }
    if (looks.length > 0 && time() > end) break;
    looks.push(lookAtOne(trigger, now, known, pace));
  }
  return looks;
}

function lookAtOne(trigger: DueTrigger, now: Date, known: Map<string, Ticks>, pace: Pace): Look {
  const { uuid, ticksFrom, cron, timezone, catchUp } = trigger;
  const key = JSON.stringify([cron, timezone, catchUp, ticksFrom]);
  try {
    if (!known.has(key)) pace.step();
    const ticks = known.get(key) ?? ticksSince(trigger, ticksFrom, now);
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
