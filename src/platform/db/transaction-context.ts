import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether a transaction is open, for whoever asks in its chain of calls. */
export interface TransactionMark {
  open: boolean;
}

const transactions = new AsyncLocalStorage<TransactionMark>();

/** Runs what its own transaction, begun on the way, is marked by. */
export function runMarked<T>(mark: TransactionMark, fn: () => T): T {
  return transactions.run(mark, fn);
}

/** Runs what happens between BEGIN and COMMIT, and marks everything that it calls or awaits until it settles. */
export async function runInTransaction<T>(fn: () => Promise<T>): Promise<T> {
  const transaction = { open: true };
  try {
    return await transactions.run(transaction, fn);
  } finally {
    // What it started and did not await lives on in this context, but no longer in the transaction.
    transaction.open = false;
  }
}

/** True between BEGIN and COMMIT of a transaction that this very chain of calls has opened. */
export function isInTransaction(): boolean {
  return transactions.getStore()?.open ?? false;
}
