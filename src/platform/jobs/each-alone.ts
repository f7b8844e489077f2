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

/**
 * Works on the rows one after the other, batch by batch until a batch is not full. An account with a locked row loses its
 * turn. A row that fails is left out for the rest of the call, so that it delays no other. @throws the first failure, at
 * the end.
 */
export async function eachDue<T extends { id: string; account: string }>(each: DueWork<T>): Promise<void> {
  const { db, locked, batch, due, work } = each;
  const failed = new Set<string>();
  const failures: unknown[] = [];
  for (;;) {
    // The failed rows are still due, and may come first.
    const limit = batch + failed.size;
    const items = await due(limit, locked.resting);
    for (const item of items) {
      if (failed.has(item.id)) continue;
      await locked
        .attempt(db, item.account, (tx) => work(tx, item))
        .catch((error: unknown) => {
          failed.add(item.id);
          if (failures.length === 0) failures.push(error);
        });
    }
    if (items.length < limit) break;
  }
  if (failures.length > 0) throw failures[0];
}
