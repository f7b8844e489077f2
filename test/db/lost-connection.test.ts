import pg from 'pg';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database, type Transaction } from '../../src/platform/db/database.js';
import { toAppError, validationError } from '../../src/platform/errors.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

describe('a lost connection', () => {
  let test: TestDatabase;
  let db: Database;
  let killer: pg.Client;

  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(createDataSource({ url: test.url, poolSize: 5 }, []));
    await db.source.initialize();
    await db.query('CREATE TABLE notes (n int PRIMARY KEY)');
    killer = new pg.Client(test.url);
    await killer.connect();
  });
  afterAll(async () => {
    await killer.end();
    await db.source.destroy();
    await test.drop();
  });
  beforeEach(() => db.query('DELETE FROM notes'));
  afterEach(async () => {
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect([db.turns.inUse, db.turns.waiting]).toEqual([0, 0]);
  });

  /** Terminates the backend of a transaction, and waits until this process has noticed. */
  const kill = async (tx: Transaction, heard = true): Promise<void> => {
    const [row] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await killer.query('SELECT pg_terminate_backend($1)', [row!.pid]);
    if (heard) await until(() => tx.manager.queryRunner!.isReleased);
  };
  const note = (tx: Transaction, n: number) => tx.query('INSERT INTO notes VALUES ($1)', [n]);
  const outcome = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'committed',
      (error: unknown) => toAppError(error).code,
    );

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['after BEGIN', async (tx) => (await kill(tx), note(tx, 1))],
    ['between two statements', async (tx) => (await note(tx, 1), await kill(tx), note(tx, 2))],
    ['before COMMIT', async (tx) => (await note(tx, 1), kill(tx))],
    ['before COMMIT, unheard', async (tx) => (await note(tx, 1), kill(tx, false))],
    ['between two statements, unheard', async (tx) => (await kill(tx, false), note(tx, 1))],
    ['before a query of the manager', async (tx) => (await kill(tx), tx.manager.query('SELECT 1'))],
    ['in a statement', (tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())')],
  ])('%s counts as an unavailable database, and nothing is kept', async (_, work) => {
    expect(await outcome(db.transaction(work))).toBe('unavailable');
    expect(await db.query('SELECT n FROM notes')).toEqual([]);
  });

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['between the work and its end', async (tx) => kill(tx)],
    ['between the work and its end, unheard', async (tx) => kill(tx, false)],
  ])('%s ends a unit of work the same', async (_, lose) => {
    const unit = db.unitOfWork(
      () => db.transaction(async (tx) => (await note(tx, 1), lose(tx))),
      async (tx) => void (await note(tx, 2)),
    );
    expect(await outcome(unit)).toBe('unavailable');
    expect(await db.query('SELECT n FROM notes')).toEqual([]);
  });

  it('before COMMIT of a unit of work is the same', async () => {
    const unit = db.unitOfWork(
      async () => undefined,
      async (tx) => (await note(tx, 1), kill(tx)),
    );
    expect(await outcome(unit)).toBe('unavailable');
  });

  it('keeps the reason of a rollback', async () => {
    const refused = db.transaction(async (tx) => {
      await kill(tx);
      throw validationError({ field: 'n', message: 'must be even' });
    });
    expect(await outcome(refused)).toBe('validation_error');
  });

  it('because a transaction was idle for too long is the same', async () => {
    const idle = db.transaction(async (tx) => {
      await tx.query(`SET idle_in_transaction_session_timeout = 10`);
      await until(() => tx.manager.queryRunner!.isReleased);
      await note(tx, 1);
    });
    expect(await outcome(idle)).toBe('unavailable');
  });

  it('is never an internal error, whichever statement it hits', async () => {
    const outcomes = new Set<string>();
    let working = true;
    const workers = Array.from({ length: 5 }, async (_, worker) => {
      for (let n = 0; working; n += 1) {
        const work = async (tx: Transaction) => {
          await note(tx, worker * 100_000 + n);
          await tx.manager.query('SELECT 1');
          return tx.query('SELECT count(*) FROM notes');
        };
        outcomes.add(await outcome(n % 2 === 0 ? db.transaction(work) : db.query('SELECT count(*) FROM notes')));
      }
    });
    for (let round = 0; round < 100; round += 1) {
      await killer.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'workflow-gateway' AND pid <> pg_backend_pid()`,
      );
    }
    working = false;
    await Promise.all(workers);
    expect([...outcomes].sort()).toEqual(['committed', 'unavailable']);
  });
});
