import { type ExecutionArgs } from 'graphql';
import { type Caller } from '../../../platform/context.js';
import { CHEAP_VALUES, type EventCost } from './costly-events.js';

/** The maximum of events of one subscriber that are executed in one pass. */
export const EVENTS_AT_ONCE = 50;
/** The values of the events of one pass, as many as 50 events of a cheap document can have. */
export const VALUES_AT_ONCE = 50 * CHEAP_VALUES;
/** The cost of an operation without one. */
export const CHEAP: EventCost = { values: 0, weight: 1 };

/** A subscription to execute. */
export interface SubscriptionArgs extends ExecutionArgs {
  /** What one event can cost; absent for a cheap document. */
  cost?: EventCost;
}

/** All subscribers in this process with the same operation and the same permissions. */
export interface Audience {
  readonly operation: Omit<ExecutionArgs, 'contextValue'>;
  /** Id of the first subscriber's request, for the log. */
  readonly requestId: string;
  readonly caller: Caller;
  readonly cost: EventCost;
  members: number;
  /** The events of the next pass: fewer while they take long or have long results. */
  reach: number;
  readonly leave: () => void;
}

/** The most events of a pass. */
export function reachOf({ values }: EventCost): number {
  return Math.max(1, Math.min(EVENTS_AT_ONCE, Math.floor(VALUES_AT_ONCE / Math.max(1, values))));
}

/** The key by which equal subscriptions of one document share; undefined when this one can't be shared. */
export function nameOf({ operationName, variableValues }: Audience['operation'], caller: Caller): string | undefined {
  if (caller.kind === 'connect_session') return undefined;
  const sees = caller.kind === 'key' ? caller.scope : caller.kind;
  return JSON.stringify([caller.accountId, sees, operationName ?? null, variableValues]);
}
