import { AsyncLocalStorage } from 'node:async_hooks';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { GroupCommit } from '../../src/platform/db/groups/group-commit.js';
import { isWrite } from '../../src/platform/db/statements.js';
import { isInTransaction } from '../../src/platform/db/transaction-context.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

/** Calls of others. */
const outside = AsyncLocalStorage.snapshot();

describe('a unit of work', () => {
  let test: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(createDataSource({ url: test.url, poolSize: 3 }, []));
    await db.source.initialize();
    await db.query('CREATE TABLE notes (n int PRIMARY KEY)');
  });
  afterAll(async () => {
    await db.source.destroy();
    await test.drop();
  });
  beforeEach(() => db.query('DELETE FROM notes'));

  const note = (n: number) => db.transaction((tx) => tx.query('INSERT INTO notes VALUES ($1)', [n]));
  const stored = async () => (await db.query<{ n: number }>('SELECT n FROM notes ORDER BY n')).map(({ n }) => n);

  it('commits all writes of the work together with those of its end', async () => {
    const told: string[] = [];
    const result = await db.unitOfWork(
      async () => {
        await note(1);
        await note(2);
        db.afterCommit(() => told.push('after'));
        expect(told).toEqual([]);
        return 'done';
      },
      async (tx) => void (await tx.query('INSERT INTO notes VALUES (3)')),
    );
    expect([result, await stored(), told]).toEqual(['done', [1, 2, 3], ['after']]);
  });

  it.each(['work', 'finish'])('keeps nothing when the %s fails', async (where) => {
    const told: string[] = [];
    const failed = db.unitOfWork(
      async () => {
        await note(1);
        db.afterCommit(() => told.push('after'));
        if (where === 'work') throw new Error('no');
      },
      async (tx) => {
        await tx.query('INSERT INTO notes VALUES (2)');
        throw new Error('no');
      },
    );
    await expect(failed).rejects.toThrow('no');
    expect([await stored(), told]).toEqual([[], []]);
  });

  it('shows its writes to its own reads only', async () => {
    await db.unitOfWork(
      async () => {
        await note(1);
        expect(await stored()).toEqual([1]);
      },
      async () => undefined,
    );
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const unit = db.unitOfWork(
      async () => {
        await note(2);
        await held;
      },
      async () => undefined,
    );
    while (
      (
        await db.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
        )
      ).length === 0
    );
    expect(await stored()).toEqual([1]);
    release();
    await unit;
    expect(await stored()).toEqual([1, 2]);
  });

  it('opens no transaction before the first write', async () => {
    await db.unitOfWork(
      async () => {
        await stored();
        const open = await db.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
        );
        expect([open, isInTransaction()]).toEqual([[], false]);
      },
      async () => undefined,
    );
  });

  it('counts as a transaction from its first write to its end, for its own calls only', async () => {
    const seen: boolean[] = [];
    await db.unitOfWork(
      async () => {
        await note(1);
        seen.push(isInTransaction());
        db.afterCommit(() => seen.push(isInTransaction()));
      },
      async () => undefined,
    );
    expect([...seen, isInTransaction()]).toEqual([true, false, false]);
  });

  it('does not affect work outside the unit', async () => {
    const failed = db.unitOfWork(
      async () => {
        await note(1);
        await db.outsideUnitOfWork(async () => {
          expect([isInTransaction(), await stored()]).toEqual([false, []]);
          await note(2);
        });
        expect([isInTransaction(), await stored()]).toEqual([true, [1, 2]]);
        throw new Error('no');
      },
      async () => undefined,
    );
    await expect(failed).rejects.toThrow('no');
    expect(await stored()).toEqual([2]);
  });

  it('releases its connection, however it ends', async () => {
    for (let n = 0; n < 10; n += 1) {
      await db.unitOfWork(
        () => note(n),
        async () => undefined,
      );
      await db
        .unitOfWork(
          () => note(n),
          async () => undefined,
        )
        .catch(() => undefined);
    }
    expect((await stored()).length).toBe(10);
  });

  it.each([
    'INSERT INTO notes VALUES (7)',
    'WITH gone AS (DELETE FROM notes RETURNING n) SELECT n FROM gone',
    'UPDATE notes SET n = 7',
  ])('undoes the write of a single statement, too: %s', async (text) => {
    await note(1);
    const failed = db.unitOfWork(
      async () => {
        await db.query(text);
        expect(isInTransaction()).toBe(true);
        expect(await stored()).not.toEqual([1]);
        throw new Error('no');
      },
      async () => undefined,
    );
    await expect(failed).rejects.toThrow('no');
    expect(await stored()).toEqual([1]);
  });

  it('runs single writes in their own transaction outside of a unit', async () => {
    class Note {
      n: number;
    }
    expect(await db.select(Note, 'INSERT INTO notes VALUES (7) RETURNING n')).toEqual([{ n: 7 }]);
    expect(await stored()).toEqual([7]);
  });

  it.each([
    ['SELECT n FROM notes FOR UPDATE', false],
    ['SELECT n FROM notes FOR NO KEY UPDATE OF notes', false],
    ['SELECT n FROM notes x FOR UPDATE OF x', false],
    ['SELECT updated_at FROM notes', false],
    ['WITH a AS (UPDATE notes n SET n = 1) SELECT 1', true],
  ])('%s is a write: %s', (text, is) => expect(isWrite(text)).toBe(is));

  it('does not catch the members of a group that one of its calls has begun', async () => {
    const group = new GroupCommit<number, number>({
      write: async (members) => {
        await Promise.all(members.map(note));
        return [...members];
      },
      sizeOf: () => 1,
      laneOf: String,
      rowOf: String,
      group: { count: 10, bytes: 10 },
      waiting: { count: 10, bytes: 10 },
      lanes: 1,
    });
    const fail = new Error('undone');
    const unit = db.unitOfWork(
      async () => {
        await note(1);
        // The first member plans the write, which takes those that come in the same turn.
        await Promise.all([group.add(2), outside(() => group.add(3))]);
      },
      async () => Promise.reject(fail),
    );
    await expect(unit).rejects.toBe(fail);
    expect(await stored()).toEqual([2, 3]);
  });
});
