import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { eachDue } from '../../src/platform/jobs/each-alone.js';
import { LockedAccounts } from '../../src/platform/jobs/locked-accounts.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

const BATCH = 10;

describe('items that a job cannot work on', () => {
  let test: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(createDataSource({ url: test.url, poolSize: 3 }, []));
    await db.source.initialize();
    await db.query('CREATE TABLE items (id text PRIMARY KEY, account text, n int, poison boolean)');
  });
  beforeEach(() => db.query('DELETE FROM items'));
  afterAll(async () => {
    await db.source.destroy();
    await test.drop();
  });

  /** Items that fail, which are due before the items that do not. */
  const fill = (poison: number, good: number) =>
    db.query(
      `INSERT INTO items SELECT n::text, (n % 3)::text, n, n <= $1::int FROM generate_series(1, $1::int + $2::int) n`,
      [poison, good],
    );
  /** One turn of a job that deletes the items. @returns the tried ones, and its failure. */
  async function turn(): Promise<{ tried: string[]; failure: unknown }> {
    const tried: string[] = [];
    const failure = await eachDue<{ id: string; account: string; poison: boolean }>({
      ...{ db, locked: new LockedAccounts(), batch: BATCH },
      due: (limit, resting) =>
        db.query('SELECT id, account, poison FROM items WHERE account <> ALL ($2::text[]) ORDER BY n LIMIT $1', [
          limit,
          resting,
        ]),
      work: async (tx, { id, poison }) => {
        tried.push(id);
        await tx.query('DELETE FROM items WHERE id = $1', [id]);
        if (poison) throw new Error(`broken ${id}`);
      },
    }).catch((error: unknown) => error);
    return { tried, failure };
  }
  const left = () => db.query('SELECT count(*)::int AS items FROM items');

  it.each([
    ['fewer than a batch', BATCH - 1, BATCH],
    ['a whole batch', BATCH, BATCH * 2],
    ['several batches', BATCH * 3 + 5, BATCH * 2 + 5],
    ['all of them', BATCH * 2, 0],
  ])('are left out after they have failed once, and delay no other: %s', async (_, poison, good) => {
    await fill(poison, good);
    const { tried, failure } = await turn();
    expect(tried.toSorted()).toEqual(Array.from({ length: poison + good }, (_item, n) => String(n + 1)).toSorted());
    expect(await left()).toEqual([{ items: poison }]);
    expect(failure).toEqual(new Error('broken 1'));
  });

  it('are tried again in the next turn', async () => {
    await fill(BATCH + 1, 0);
    await turn();
    await db.query('UPDATE items SET poison = false');
    expect((await turn()).failure).toBeUndefined();
    expect(await left()).toEqual([{ items: 0 }]);
  });
});
