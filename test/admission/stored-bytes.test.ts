import { loadConfig } from '../../src/platform/config/config.js';
import { SeveralAccounts } from '../../src/features/accounts/several-accounts.js';
import { StoredBytes } from '../../src/platform/admission/daily/stored-bytes.js';
import { type Database } from '../../src/platform/db/database.js';
import { StillClock } from '../support/clock.js';

const MB = 1_048_576;
const DAY_MS = 86_400_000;

class Hand extends StillClock {
  pass(milliseconds: number): void {
    this.offsetMs += milliseconds;
  }
}

describe('the stored bytes of an account', () => {
  let clock: Hand;
  let lookups: number;
  let several: boolean;
  const accounts = {
    areSeveral: () => {
      lookups += 1;
      return Promise.resolve(several);
    },
  };
  const bytesOf = (megabytes: number) => new StoredBytes(clock, megabytes, accounts);

  beforeEach(() => {
    clock = new Hand();
    [lookups, several] = [0, true];
  });

  it('are as many as the setting says, and not one more', async () => {
    expect(loadConfig({}).config.storedLimit).toBe(10_000);
    const stored = bytesOf(3);
    stored.add('a', 3 * MB - 1);
    await stored.demandRoom('a');
    expect(lookups).toBe(0);
    stored.add('a', 1);
    expect(await stored.isFull('a')).toBe(true);
    await expect(stored.demandRoom('a')).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/stored the 3 MB .*STORED_LIMIT_MB/),
      options: { retryAfter: 1 },
    });
    expect([...(await stored.fullOf(['a', 'b'])), await stored.full()]).toEqual(['a', ['a']]);
    await stored.demandRoom('b');
  });

  it('drain within a day, also those beyond the limit', async () => {
    const stored = bytesOf(3);
    stored.add('a', 6 * MB);
    expect(stored.refusal('a').options.retryAfter).toBe(86_401);
    clock.pass(DAY_MS);
    expect(await stored.isFull('a')).toBe(true);
    clock.pass(1_000);
    expect(await stored.isFull('a')).toBe(false);
    clock.pass(DAY_MS);
    stored.add('a', 3 * MB - 1);
    expect(await stored.isFull('a')).toBe(false);
  });

  it('are never too many for the only account', async () => {
    several = false;
    const stored = bytesOf(1);
    stored.add('a', 100 * MB);
    await stored.demandRoom('a');
    expect([await stored.isFull('a'), await stored.full()]).toEqual([false, []]);
    several = true;
    expect(await stored.isFull('a')).toBe(true);
  });

  it('have no limit with 0', async () => {
    const stored = bytesOf(0);
    stored.add('a', 1e15);
    expect([await stored.isFull('a'), lookups]).toEqual([false, 0]);
  });

  it('hold back the refusals of a client that ignores Retry-After', () => {
    const stored = bytesOf(1);
    stored.add('a', MB);
    const holds = Array.from({ length: 1_000 }, () => stored.refusal('a').options.holdMs!);
    // The first 100 come at once, and as many more as the time of a busy machine allows.
    expect(holds.slice(0, 100)).toEqual(Array(100).fill(0));
    expect(Math.max(...holds)).toBeGreaterThan(0);
  });
});

describe('whether there are several accounts', () => {
  const clock = new Hand();
  let rows: number;
  let queries: number;
  const db = {
    outsideUnitOfWork: <T>(work: () => Promise<T>) => work(),
    query: () => {
      queries += 1;
      return rows < 0 ? Promise.reject(new Error('away')) : Promise.resolve(Array.from({ length: rows }));
    },
  } as unknown as Database;

  it('is counted at most once a minute, and known while the database is away', async () => {
    [rows, queries] = [1, 0];
    const accounts = new SeveralAccounts(db, clock);
    expect(await Promise.all([accounts.areSeveral(), accounts.areSeveral()])).toEqual([false, false]);
    rows = 2;
    clock.pass(59_999);
    expect([await accounts.areSeveral(), queries]).toEqual([false, 1]);
    clock.pass(1);
    expect([await accounts.areSeveral(), queries]).toEqual([true, 2]);
    rows = -1;
    clock.pass(60_000);
    expect([await accounts.areSeveral(), queries]).toEqual([true, 3]);
    rows = 1;
    expect([await accounts.areSeveral(), queries]).toEqual([false, 4]);
  });
});
