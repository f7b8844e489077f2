import { AccountService } from '../../src/features/accounts/account.service.js';
import { type Database, type Transaction } from '../../src/platform/db/database.js';
import { MailStore } from '../../src/platform/mail/mail-store.js';
import { until } from '../support/until.js';
import { MailWorld } from './mail-world.js';

describe('the accounts with due mails', () => {
  let world: MailWorld;
  /** In the order of their creation, which is that of their ids. */
  const accounts: string[] = [];
  beforeAll(async () => {
    world = await MailWorld.open();
    const service = new AccountService(world.server.db, world.server.clock);
    for (const name of ['a', 'b', 'c']) accounts.push(await service.findOrCreate(world.server.db, name));
  });
  beforeEach(() => world.reset());
  afterAll(() => world.close());

  /** Queues mails of an account; their subjects are its name. */
  async function queue(account: number, count: number, urgent = true): Promise<void> {
    const subject = `${'abc'[account]}${urgent ? '' : ' later'}`;
    for (let made = 0; made < count; made += 1) await world.mail({ accountId: accounts[account]!, subject, urgent });
  }

  /** Queues thousands of mails of an account. */
  const flood = (account: number, count: number): Promise<unknown> =>
    world.server.db.query(
      `INSERT INTO mails (id, account_id, recipients, subject, text, urgent, key, created_at, next_attempt_at)
       SELECT gen_random_uuid(), $1, '{ann@x.test}', $2, 'Hello', true, gen_random_uuid(), clock_now(), clock_now()
       FROM generate_series(1, $3::integer)`,
      [accounts[account], 'abc'[account], count],
    );

  const storeOf = (on: Database | Transaction = world.server.db) => new MailStore(on as Database, world.server.clock);
  const claimed = async (store: MailStore, count: number) =>
    (await store.claim(count)).map(({ subject }) => subject).sort();
  /** The accounts of so many claims of one mail each. */
  async function oneByOne(store: MailStore, count: number): Promise<string[]> {
    const subjects: string[] = [];
    for (let claims = 0; claims < count; claims += 1) subjects.push(...(await claimed(store, 1)));
    return subjects;
  }

  it.each([
    ['before', 0, 1],
    ['behind', 1, 0],
  ])('delay each other by one mail, however many mails one has: %s the other', async (_, many, few) => {
    const store = storeOf();
    await queue(many, 40);
    const name = 'abc'[many]!;
    expect(await oneByOne(store, 3)).toEqual([name, name, name]);
    await queue(few, 2);
    expect((await oneByOne(store, 4)).filter((subject) => subject !== name)).toHaveLength(2);
  });

  it('take turns, and those without due mails miss theirs', async () => {
    const store = storeOf();
    await queue(0, 4);
    await queue(1, 2);
    await queue(2, 3);
    expect(await oneByOne(store, 9)).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'c', 'a']);
    expect(await store.claim(1)).toEqual([]);
  });

  it('share the mails of one claim, and one account alone takes all of it', async () => {
    await queue(0, 10);
    await queue(1, 1);
    await queue(2, 2);
    const store = storeOf();
    expect(await claimed(store, 5)).toEqual(['a', 'a', 'b', 'c', 'c']);
    expect(await claimed(store, 5)).toEqual(['a', 'a', 'a', 'a', 'a']);
  });

  it('have their urgent mails sent before the others of all accounts, and after 20 in a row one other', async () => {
    const store = storeOf();
    await queue(0, 30);
    await queue(1, 2, false);
    expect(await oneByOne(store, 20)).toEqual(Array.from({ length: 20 }, () => 'a'));
    expect(await oneByOne(store, 2)).toEqual(['b later', 'a']);
  });

  it('read no backlog: 20,000 mails cost as few rows as one', async () => {
    const read = (): Promise<number[]> =>
      world.server.db.transaction(async (tx) => {
        const count = async () => {
          const [row] = await tx.query<{ read: number }>(
            `SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'mails'`,
          );
          return row!.read;
        };
        const before = await count();
        const store = storeOf(tx);
        const subjects = await claimed(store, 1);
        expect([...subjects, ...(await claimed(store, 1))]).toEqual(['a', 'b']);
        return [(await count()) - before];
      });
    await flood(0, 20_000);
    await queue(1, 1);
    const [many] = await read();
    expect(many).toBeLessThan(50);
  });

  it('get an urgent mail out while thousands of another account wait', async () => {
    await flood(0, 3_000);
    await world.sender().sendDue();
    await until(() => world.office.arrived.length > 0);
    await queue(1, 1);
    const before = world.office.arrived.length;
    const place = () => world.office.arrived.findIndex(({ subject }) => subject === 'b');
    await until(() => place() >= 0);
    // Those under way at that time, and what was claimed while this test looked.
    expect(place() - before).toBeLessThan(100);
  });
});
