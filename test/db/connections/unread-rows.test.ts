import { AsyncLocalStorage } from 'node:async_hooks';
import { Answers, READ_BYTES } from '../../../src/platform/admission/answers.js';
import { EXPENSIVE } from '../../../src/platform/admission/turns.js';
import { workFor } from '../../../src/platform/admission/work.js';
import { createDataSource } from '../../../src/platform/db/data-source.js';
import { Database } from '../../../src/platform/db/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

const MB = 1_048_576;
/** Calls of others. */
const outside = AsyncLocalStorage.snapshot();
/** 256 MB. */
const ROWS = `SELECT repeat('x', 65536) AS text FROM generate_series(1, 4096)`;
const TOO_LARGE = expect.objectContaining({ code: 'answer_too_large' }) as Error;

describe('the statements of a unit of work', () => {
  let test: TestDatabase;
  let db: Database;
  /** The bytes that the connections have received. */
  let received: (() => number)[];

  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(createDataSource({ url: test.url, poolSize: 8 }, []));
    await db.source.initialize();
    await db.query('CREATE TABLE notes (n int)');
    received = [];
    (db as unknown as { pool: { on: (event: string, listen: (client: any) => void) => void } }).pool.on(
      'acquire',
      ({ connection: { stream } }) => received.push(() => stream.bytesRead as number),
    );
  });
  afterAll(async () => {
    await db.source.destroy();
    await test.drop();
  });

  const begun = (work: () => Promise<unknown>) =>
    db.unitOfWork(
      async () => {
        await db.transaction((tx) => tx.query('INSERT INTO notes VALUES (1)'));
        await work();
      },
      () => Promise.resolve(),
    );
  const notes = async () => (await db.query<{ n: number }>('SELECT count(*) AS n FROM notes'))[0]!.n;

  it.each([
    ['in a unit, which is undone', (read: () => Promise<unknown>) => begun(read)],
    ['outside of one', (read: () => Promise<unknown>) => read()],
  ])('count what they read %s, and receive little more than a response may read', async (_, within) => {
    const answers = new Answers();
    const answer = answers.begin('a');
    const read = () => workFor('a', () => within(() => db.query(ROWS)), { answer });
    await expect(read()).rejects.toEqual(TOO_LARGE);
    expect(Math.max(...received.map((bytes) => bytes()))).toBeLessThan(READ_BYTES + 16 * MB);
    answer.end();
    expect([await notes(), answers.inUse, db.turns.inUse, db.turns.waiting]).toEqual([0, 0, 0, 0]);
  });

  it('are expensive ones of an account two at a time, each on the connection of its unit', async () => {
    const wait = () => db.expensive.query('SELECT pg_advisory_xact_lock_shared(7)');
    const units = await db.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(7)');
      const all = [1, 2, 3, 4].map(() => outside(() => workFor('a', () => begun(wait))));
      await until(() => db.turns.of('a').waits === 4 - EXPENSIVE);
      expect(db.turns.of('a')).toEqual({ held: 4, heldExpensive: EXPENSIVE, waits: 4 - EXPENSIVE });
      return { done: Promise.all(all) };
    });
    await units.done;
    await until(() => db.turns.of('a').heldExpensive === 0);
    expect([await notes(), db.turns.inUse, db.turns.waiting]).toEqual([4, 0, 0]);
  });
});
