import { type PostedFiring } from '../hooks/store-firings.js';
import { type FiringOutcome } from '../../runs/queue/firings.js';
import { type AppEvent } from './event-post.js';
import { type FanOut } from './fan-outs.js';
import { shareRuns } from './share-runs.js';
import { type WaitingTrigger } from './waiting-triggers.js';

/** An event with the triggers it fires, in the order in which their workflows are locked. */
export interface Fired {
  event: AppEvent;
  /** Triggers whose runs are created at once; `later` are the remaining ones. */
  first: readonly WaitingTrigger[];
  later: readonly WaitingTrigger[];
  /** The event fires nothing: `first` is one trigger, whose skipped run stands for all. */
  isDropped?: true;
}

/** A firing, with the event and the workflow that it belongs to. */
export interface Placed {
  fired: Fired;
  workflowUuid: string;
  firing: PostedFiring;
}

/** Divides the triggers of each event into those that fire at once and the remaining ones. */
export function divide(events: readonly AppEvent[], waiting: readonly WaitingTrigger[][]): Fired[] {
  const shares = shareRuns(waiting.map(({ length }) => length));
  return events.map((event, place) => {
    const triggers = waiting[place]!.toSorted(byWorkflow);
    const share = shares[place]!;
    return { event, first: triggers.slice(0, share), later: triggers.slice(share) };
  });
}

/**
 * The immediate firings, in the order in which every transaction locks workflows. Within a workflow, events keep their
 * order.
 */
export function placedIn(all: readonly Fired[]): Placed[] {
  const placed = all.flatMap((fired) =>
    fired.first.map(({ uuid, workflowUuid }): Placed => {
      const firing = {
        ...firingOf(fired.event),
        triggerUuid: uuid,
        ...(fired.isDropped && { dropped: true as const }),
      };
      return { fired, workflowUuid, firing };
    }),
  );
  return placed.sort(byWorkflow);
}

/** The remaining triggers of events. Those of a repeated delivery are left out: the first one stored them. */
export function restOf(
  all: readonly Fired[],
  placed: readonly Placed[],
  outcomes: readonly (FiringOutcome | undefined)[],
): FanOut[] {
  const isNew = new Set(all.filter(({ first }) => first.length === 0));
  placed.forEach(({ fired }, place) => {
    const outcome = outcomes[place];
    if (outcome !== undefined && outcome.reason !== 'duplicate') isNew.add(fired);
  });
  return all
    .filter((fired) => fired.later.length > 0 && isNew.has(fired))
    .map(({ event, later }) => ({
      ...firingOf(event),
      accountId: event.settings.accountId,
      triggers: later.map(({ uuid }) => uuid),
    }));
}

function byWorkflow(a: { workflowUuid: string }, b: { workflowUuid: string }): number {
  return Number(a.workflowUuid > b.workflowUuid) - Number(a.workflowUuid < b.workflowUuid);
}

function firingOf({ settings, input, key, hops }: AppEvent): Omit<PostedFiring, 'triggerUuid'> {
  const firing = { input, key, hops };
  return settings.status === 'connected' ? firing : { ...firing, sourceLost: true };
}
