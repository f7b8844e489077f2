import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { LockedAccounts } from '../../src/platform/jobs/locked-accounts.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

describe('an account with a locked row', () => {
  let test: TestDatabase;
  let db: Database;
  let now = 0;
  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(createDataSource({ url: test.url, poolSize: 3 }, []));
    await db.source.initialize();
    await db.query('CREATE TABLE counters (account text PRIMARY KEY, n int)');
    await db.query(`INSERT INTO counters VALUES ('a', 0), ('b', 0)`);
  });
  afterAll(async () => {
    await db.source.destroy();
    await test.drop();
  });

  it('rests longer each time until its row is free, and no other account rests', async () => {
    const locked = new LockedAccounts(() => now);
    let tries = 0;
    const count = (account: string) =>
      locked.attempt(db, account, async (tx) => {
        tries += 1;
        await tx.query('UPDATE counters SET n = n + 1 WHERE account = $1', [account]);
        return true;
      });
    const rests: number[] = [];
    await db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM counters WHERE account = 'a' FOR NO KEY UPDATE`);
      for (let round = 0; round < 6; round += 1) {
        const before = tries;
        expect([await count('a'), await count('a'), tries - before]).toEqual([undefined, undefined, 1]);
        expect([locked.resting, await count('b')]).toEqual([['a'], true]);
        const since = now;
        while (locked.isResting('a')) now += 100;
        rests.push(now - since);
      }
    });
    expect(rests).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect([await count('a'), locked.resting]).toEqual([true, []]);
    expect(await db.query('SELECT account, n FROM counters ORDER BY account')).toEqual([
      { account: 'a', n: 1 },
      { account: 'b', n: 6 },
    ]);
  });

  it('fails for any other reason as its work does, without a rest', async () => {
    const locked = new LockedAccounts(() => now);
    await expect(locked.attempt(db, 'a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(locked.resting).toEqual([]);
  });
});
