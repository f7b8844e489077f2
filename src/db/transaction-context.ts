import { AsyncLocalStorage } from 'node:async_hooks';

const transactions = new AsyncLocalStorage<{ open: boolean }>();

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
