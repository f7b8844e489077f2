import { type Database, type Transaction } from '../db/database.js';
import { type LockedAccounts } from './locked-accounts.js';

/** Works on items one after the other, and continues if one fails. @throws the first failure, at the end. */
export async function eachAlone<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Work on rows of accounts, each in its own transaction. */
interface DueWork<T> {
  db: Database;
  locked: LockedAccounts;
  /** The rows of one query. */
  batch: number;
  /** The first rows that are due, without those of the resting accounts. */
  due: (limit: number, resting: readonly string[]) => Promise<readonly T[]>;
  /** Afterwards the row must not be due any more. */
  work: (tx: Transaction, item: T) => Promise<unknown>;
}

/** As `eachAlone`, batch by batch until a batch is not full. An account with a locked row loses its turn. */
export async function eachDue<T extends { account: string }>({
  db,
  locked,
  batch,
  due,
  work,
}: DueWork<T>): Promise<void> {
  for (;;) {
    const items = await due(batch, locked.resting);
    await eachAlone(items, (item) => locked.attempt(db, item.account, (tx) => work(tx, item)));
    if (items.length < batch) return;
  }
}
