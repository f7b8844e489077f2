import { type Exchange, type Operation, type OperationResult } from 'urql';
import { map, pipe, tap } from 'wonka';
import { faultOf } from './request-fault.js';

/** Temporary faults, which are unrelated to the requested data. */
const PASSING = new Set(['NETWORK', 'UNAVAILABLE', 'INTERNAL_ERROR', 'RATE_LIMITED']);

/** The queries whose results are on screen. */
export interface QueriesOnScreen {
  operations: () => Operation[];
  exchange: Exchange;
}

/**
 * Tracks the queries by an exchange. If a refresh fails temporarily, the exchange keeps the old data on screen beside the
 * error. If the service says that the object is gone, the cache still has it, and would show it again as soon as a related
 * object changes: the exchange keeps the error. GraphQL reports a failed query as `data: null`; the exchange turns that into
 * undefined, as without a response.
 */
export function queriesOnScreen(): QueriesOnScreen {
  const shown = new Map<number, Shown>();
  const left = new Map<number, Shown>();
  const note = (operation: Operation): void => {
    const { kind, key } = operation;
    const before = shown.get(key) ?? left.get(key);
    if (kind === 'query') shown.set(key, { ...before, operation });
    if (kind !== 'teardown' || before === undefined) return;
    shown.delete(key);
    // A component that queries again unsubscribes first and is back at once.
    left.set(key, before);
    setTimeout(() => left.delete(key));
  };
  const keep = (result: OperationResult): OperationResult => {
    const { key } = result.operation;
    const known = shown.get(key);
    if (known?.gone !== undefined && isFromCache(result)) return known.gone;
    if (result.data != null) {
      if (known !== undefined) shown.set(key, { operation: known.operation, data: result.data });
      return result;
    }
    const kept = { ...result, data: isPassing(result) ? known?.data : undefined };
    if (known !== undefined && isGone(result)) known.gone = kept;
    return kept;
  };
  return {
    operations: () => [...shown.values()].map(({ operation }) => operation),
    // Not urql's `mapExchange`, which does not receive teardowns.
    exchange:
      ({ forward }) =>
      (operations$) =>
        pipe(forward(pipe(operations$, tap(note))), map(keep)),
  };
}

interface Shown {
  operation: Operation;
  /** The data of its last result. */
  data?: unknown;
  /** The result that says that the object does not exist, until another one comes from the service. */
  gone?: OperationResult | undefined;
}

function isFromCache({ operation }: OperationResult): boolean {
  const outcome = operation.context.meta?.cacheOutcome;
  return outcome === 'hit' || outcome === 'partial';
}

function isGone({ error }: OperationResult): boolean {
  return error !== undefined && faultOf(error).code === 'NOT_FOUND';
}

function isPassing({ error }: OperationResult): boolean {
  return error !== undefined && PASSING.has(faultOf(error).code);
}
