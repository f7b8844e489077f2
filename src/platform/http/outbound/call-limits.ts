import { currentTransaction, type TransactionMark } from '../../db/transaction-context.js';
import { AppError } from '../../errors.js';
import { OutboundError } from './outbound-error.js';

/** What the lookups of one unit of work may add to the time for which it locks rows, in milliseconds. */
export const MAX_LOOKUP_MS = 1_000;

const spent = new WeakMap<TransactionMark, number>();

/** The deadline of one call and its caller's cancellation, as one signal. */
export interface CallLimits {
  signal: AbortSignal;
  /** Must be called when the call has ended. */
  release: () => void;
}

/** Aborts after `timeoutMs` or with the caller's signal; the reason is an OutboundError that tells the two apart. */
export function limitCall(host: string, timeoutMs: number, caller: AbortSignal | undefined): CallLimits {
  const controller = new AbortController();
  const cancel = () => controller.abort(new OutboundError('canceled', `The call to ${host} was canceled.`));
  const timer = setTimeout(
    () => controller.abort(new OutboundError('timeout', `${host} gave no whole answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  if (caller?.aborted) cancel();
  caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', cancel);
    },
  };
}

/** Settles as `work` does, or rejects with the signal's reason if that aborts first; `work` itself continues. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject);
  });
}

/**
 * Looks up a name. Its name server decides how long that takes, so an open unit of work waits for a second at most, for all
 * its names together. @throws AppError `conflict` after that, and a plain Error in a transaction of one operation.
 */
export async function lookUpInUnit<T>(lookUp: () => Promise<T>): Promise<T> {
  const transaction = currentTransaction();
  if (transaction === undefined) return lookUp();
  if (!transaction.isUnit) throw new Error('A name was looked up while a database transaction is open.');
  const began = performance.now();
  const before = spent.get(transaction) ?? 0;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooLate()), Math.max(0, MAX_LOOKUP_MS - before));
  try {
    return await untilAborted(lookUp(), late.signal);
  } finally {
    clearTimeout(timer);
    spent.set(transaction, before + performance.now() - began);
  }
}

function tooLate(): AppError {
  return new AppError(
    'conflict',
    'The host of the URL takes too long to look up: with an Idempotency-Key this operation must be the first of its document.',
  );
}
