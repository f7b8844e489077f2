import { loadConfig } from '../../src/platform/config/config.js';
import { MailQueue } from '../../src/platform/mail/mail-queue.js';
import { StepMails } from '../../src/platform/mail/step-mails.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { refuseMails } from './refuse-mails.js';

const LIMIT = 5;

describe('the mails of an account on a day', () => {
  let world: RunWorld;
  /** Another process on the same database, which carries runs out too. */
  let other: TestServer;
  beforeAll(async () => {
    world = await RunWorld.open({ env: { MAIL_LIMIT: `${LIMIT}` } });
    const { database, clock } = world.server;
    other = await startTestServer({ database, clock, env: { MAIL_LIMIT: `${LIMIT}` } });
  });
  beforeEach(() => world.server.db.query('DELETE FROM mail_counts'));
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const mailer = async () => {
    const config = { to: '{{ trigger.body.to }}', subject: 'News', text: 'News.' };
    return (await world.workflow([{ name: 'tell', kind: 'send_email', config }])).hook;
  };
  const send = async (hook: string, to: unknown) => world.ended(await world.fire(hook, { to }));
  /** Without the mails that tell of a failing workflow. */
  const queued = async () => (await world.server.db.query(`SELECT 1 FROM mails WHERE subject = 'News'`)).length;

  it('are as many as MAIL_LIMIT; the step of the next one fails', async () => {
    const hook = await mailer();
    const before = await queued();
    const ids = await Promise.all(Array.from({ length: LIMIT + 4 }, () => world.fire(hook, { to: 'ann@x.test' })));
    const runs = await Promise.all(ids.map((id) => world.ended(id)));
    const failed = runs.filter(({ status }) => status === 'failed');
    expect([failed.length, (await queued()) - before]).toEqual([4, LIMIT]);
    expect(failed[0]).toMatchObject({
      error: {
        code: 'too_many_mails',
        message: expect.stringMatching(/^The steps of an account may mail 5 recipients a day, .* 00:00 UTC\.$/),
      },
    });
  });

  it('are counted by recipient, and a mail that does not fit leaves its place to a smaller one', async () => {
    const config = { to: Array.from({ length: 3 }, (_, index) => `r${index}@x.test`), subject: 'News', text: 'News.' };
    const { hook } = await world.workflow([{ name: 'tell', kind: 'send_email', config }]);
    const one = await mailer();
    expect((await send(hook, null)).status).toBe('succeeded');
    expect((await send(hook, null)).error).toMatchObject({ code: 'too_many_mails' });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await send(one, 'ann@x.test')).status);
    expect(statuses).toEqual(['succeeded', 'succeeded', 'failed']);
  });

  it('are 1,000 unless the operator says otherwise', async () => {
    const { db, clock } = world.server;
    const { limit } = loadConfig({}).config.mail;
    expect(limit).toBe(1_000);
    await db.query(
      `INSERT INTO mail_counts SELECT id, (clock_now() AT TIME ZONE 'UTC')::date, 999 FROM accounts WHERE name = 'default'`,
    );
    const [account] = await db.query<{ id: string }>(`SELECT id FROM accounts WHERE name = 'default'`);
    const steps = new StepMails(db, new MailQueue(clock), limit);
    const mail = { accountId: account!.id, to: ['ann@x.test'], subject: 'News', text: 'News.' };
    expect(await steps.queue({ ...mail, key: 'the thousandth' })).toBeUndefined();
    expect(await steps.queue({ ...mail, key: 'one more' })).toMatch(/may mail 1000 recipients a day/);
  });

  it('begin again with the next day in UTC', async () => {
    const hook = await mailer();
    for (let i = 0; i < LIMIT; i += 1) expect((await send(hook, 'ann@x.test')).status).toBe('succeeded');
    expect((await send(hook, 'ann@x.test')).status).toBe('failed');
    await world.server.db.query(`UPDATE mail_counts SET day = day - 1`);
    expect((await send(hook, 'ann@x.test')).status).toBe('succeeded');
    expect(await world.server.db.query('SELECT total FROM mail_counts')).toEqual([{ total: 1 }]);
  });

  it('are counted exactly when they are stored, and once for a step that is done again', async () => {
    const { db } = world.server;
    const takeMails = await refuseMails(db);
    const id = await world.fire(await mailer(), { to: 'ann@x.test' });
    await until(async () => (await world.run(id)).steps[0]?.error != null);
    expect(await db.query('SELECT 1 FROM mail_counts')).toEqual([]);
    await takeMails();
    expect((await world.ended(id)).status).toBe('succeeded');
    expect(await db.query('SELECT total FROM mail_counts')).toEqual([{ total: 1 }]);
    const [mail] = await db.query<{ key: string; accountId: string }>(
      `SELECT key, account_id AS "accountId" FROM mails WHERE subject = 'News' ORDER BY id DESC LIMIT 1`,
    );
    const steps = new StepMails(db, new MailQueue(world.server.clock), LIMIT);
    expect(await steps.queue({ ...mail!, to: ['ann@x.test'], subject: 'News', text: 'News.' })).toBeUndefined();
    expect(await db.query('SELECT total FROM mail_counts')).toEqual([{ total: 1 }]);
  });
});
