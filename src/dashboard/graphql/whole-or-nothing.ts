import { Kind } from 'graphql';
import { makeOperation, mapExchange, type Operation } from 'urql';
import { randomHex } from './random-hex.js';

/**
 * A root field that failed makes the whole result a failed one; that is why their types in the operations are non-null.
 * The mutations of one document take effect together or not at all: the service does that for an `Idempotency-Key`.
 */
export const wholeOrNothing = mapExchange({
  onOperation: (operation) => (hasSeveralMutations(operation) ? withKey(operation) : operation),
  onResult: (result) =>
    result.error !== undefined && Object.values((result.data ?? {}) as object).includes(null)
      ? { ...result, data: null }
      : result,
});

function hasSeveralMutations({ kind, query }: Operation): boolean {
  if (kind !== 'mutation') return false;
  return query.definitions.some(
    (node) => node.kind === Kind.OPERATION_DEFINITION && node.selectionSet.selections.length > 1,
  );
}

function withKey(operation: Operation): Operation {
  const { fetchOptions } = operation.context;
  const options = typeof fetchOptions === 'function' ? fetchOptions() : fetchOptions;
  const headers = { ...(options?.headers as Record<string, string>), 'idempotency-key': randomHex(16) };
  return makeOperation(operation.kind, operation, { ...operation.context, fetchOptions: { ...options, headers } });
}
