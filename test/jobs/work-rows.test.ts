import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { WorkRows } from '../../src/platform/jobs/work-rows.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

/** Batches of an account. */
const BATCHES = 20;

describe('rows of work of several accounts', () => {
  let test: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(createDataSource({ url: test.url, poolSize: 3 }, []));
    await db.source.initialize();
    await db.query('CREATE TABLE work (id int PRIMARY KEY, account_id text, remaining int)');
    await db.query('CREATE TABLE counters (account text PRIMARY KEY, n int)');
    await db.query(`INSERT INTO work VALUES (1, 'a', ${BATCHES}), (2, 'b', ${BATCHES})`);
    await db.query(`INSERT INTO counters VALUES ('a', 0), ('b', 0)`);
  });
  afterAll(async () => {
    await db.source.destroy();
    await test.drop();
  });

  it('are worked off while a row of one account is locked, which is not tried in each round', async () => {
    const logs: string[] = [];
    const tries: Record<string, number> = { a: 0, b: 0 };
    const rows = new WorkRows<{ account: string }>(
      db,
      createLogger('warn', { write: (line: string) => void logs.push(line) }),
      {
        table: 'work',
        columns: 'account_id AS account',
        work: async (tx, { id, account }) => {
          tries[account]! += 1;
          await tx.query('UPDATE counters SET n = n + 1 WHERE account = $1', [account]);
          const left = await tx.query('UPDATE work SET remaining = remaining - 1 WHERE id = $1 RETURNING remaining', [
            id,
          ]);
          return left[0]!.remaining > 0;
        },
        failure: 'failed',
      },
    );
    await db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM counters WHERE account = 'a' FOR NO KEY UPDATE`);
      await rows.run(undefined);
    });
    expect(await db.query('SELECT * FROM counters ORDER BY account')).toEqual([
      { account: 'a', n: 0 },
      { account: 'b', n: BATCHES },
    ]);
    expect([tries.b, tries.a! < BATCHES / 2, logs]).toEqual([BATCHES, true, []]);
  });
});
