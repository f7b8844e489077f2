import { AsyncLocalStorage } from 'node:async_hooks';
import { workBeside } from '../admission/work.js';
import { AppError } from '../errors.js';

/** Whether a transaction is open in the current call chain. */
export interface TransactionMark {
  open: boolean;
  /** Set for a unit of work, whose transaction spans several operations. */
  isUnit?: true;
  /** Set once a unit of work has called another service, which a rollback does not undo. */
  hasCalled?: true;
}

const transactions = new AsyncLocalStorage<TransactionMark>();

/** Runs `fn` under a mark that its caller opens when a transaction begins. */
export function runMarked<T>(mark: TransactionMark, fn: () => T): T {
  return transactions.run(mark, fn);
}

/** Runs the work between BEGIN and COMMIT, and marks everything that it calls or awaits until it settles. */
export async function runInTransaction<T>(fn: () => Promise<T>): Promise<T> {
  const transaction = { open: true };
  try {
    return await transactions.run(transaction, fn);
  } finally {
    // Calls that it started and did not await continue in this context, but outside the transaction.
    transaction.open = false;
  }
}

/** Notes that the surrounding unit of work, if there is one, calls another service. */
export function noteCall(): void {
  const mark = transactions.getStore();
  if (mark?.isUnit) mark.hasCalled = true;
}

/** Whether the surrounding unit of work has called another service. */
export function hasCalled(): boolean {
  return transactions.getStore()?.hasCalled === true;
}

/** The open transaction of the current call chain. */
export function currentTransaction(): TransactionMark | undefined {
  const mark = transactions.getStore();
  return mark?.open ? mark : undefined;
}

/** True between BEGIN and COMMIT of a transaction of the current call chain. */
export function isInTransaction(): boolean {
  return currentTransaction() !== undefined;
}

/**
 * The lane of long work for a response of an account. With rows locked it is one of its own: in the other one they would stay
 * locked until other responses of the account are done.
 */
export function responseLane(accountId: string): string {
  return isInTransaction() ? `${accountId} locked` : accountId;
}

/** Runs what needs a connection of its own, beside that of the current transaction if there is one. */
export function besideTransaction<T>(run: () => T): T {
  return isInTransaction() ? workBeside(run) : run();
}

/** Whether that transaction belongs to a unit of work, and the current code to no transaction of a single operation. */
function isBetweenOperations(): boolean {
  return currentTransaction()?.isUnit === true;
}

/**
 * For operations that take seconds: behind another one of a unit of work they would keep its rows locked for that time.
 * `what`: the operation and what it does. @throws AppError `conflict` for one that follows another.
 */
export function demandFirstOperation(what: string): void {
  if (!isBetweenOperations()) return;
  throw new AppError('conflict', `${what}: with an Idempotency-Key it must be the first of its document.`);
}
