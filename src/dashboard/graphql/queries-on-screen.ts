import { type Exchange, type Operation, type OperationResult } from 'urql';
import { map, pipe, tap } from 'wonka';
import { faultOf } from './request-fault.js';

/** Faults that say nothing of what was asked for. */
const PASSING = new Set(['NETWORK', 'UNAVAILABLE', 'INTERNAL_ERROR', 'RATE_LIMITED']);

/** The queries whose answers are on screen now. */
export interface QueriesOnScreen {
  operations: () => Operation[];
  exchange: Exchange;
}

/**
 * Knows them by an exchange, which also lets an answer stay on screen, beside the error, where asking again fails for a
 * reason that says nothing of what was asked for. What could not be answered GraphQL gives as `data: null`; to pages that
 * is the same as no answer.
 */
export function queriesOnScreen(): QueriesOnScreen {
  const shown = new Map<number, Shown>();
  const left = new Map<number, Shown>();
  const note = (operation: Operation): void => {
    const { kind, key } = operation;
    const before = shown.get(key) ?? left.get(key);
    if (kind === 'query') shown.set(key, { operation, data: before?.data });
    if (kind !== 'teardown' || before === undefined) return;
    shown.delete(key);
    // A component that asks again leaves first, and is back at once.
    left.set(key, before);
    setTimeout(() => left.delete(key));
  };
  const keep = (result: OperationResult): OperationResult => {
    const known = shown.get(result.operation.key);
    if (result.data != null) {
      if (known !== undefined) known.data = result.data;
      return result;
    }
    return { ...result, data: isPassing(result) ? known?.data : undefined };
  };
  return {
    operations: () => [...shown.values()].map(({ operation }) => operation),
    // Not urql's `mapExchange`: that one is told of no teardown.
    exchange:
      ({ forward }) =>
      (operations$) =>
        pipe(forward(pipe(operations$, tap(note))), map(keep)),
  };
}

interface Shown {
  operation: Operation;
  /** Its last answer. */
  data: unknown;
}

function isPassing({ error }: OperationResult): boolean {
  return error !== undefined && PASSING.has(faultOf(error).code);
}
