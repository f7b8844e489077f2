import { withdrawMails } from '../../src/platform/mail/mail-queue.js';
import { forbiddenTransitions, recordTransitions } from '../support/database/recorded-transitions.js';
import { until } from '../support/until.js';
import { MailWorld } from './mail-world.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** Longer than a claim is valid. */
const LAPSE = 3 * MINUTE + 1;

describe('the sender of mails', () => {
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.open();
    await recordTransitions(world.server.db, 'mails');
  });
  beforeEach(() => world.reset());
  afterAll(async () => {
    const forbidden = await forbiddenTransitions(world.server.db, 'mails');
    await world.close();
    expect(forbidden).toEqual([]);
  });

  const subjects = () => world.office.arrived.map(({ subject }) => subject);
  const ids = () => world.office.arrived.map(({ headers }) => headers['message-id']);

  it('sends a queued mail once, and records it', async () => {
    const sender = world.sender();
    const key = await world.mail();
    await world.turn(sender);
    await world.turn(sender);
    expect(subjects()).toEqual([key]);
    expect(await world.row(key)).toMatchObject({ status: 'sent', next_attempt_at: null, claim: null, attempts: 1 });
    expect((await world.row(key)).ended_at).not.toBeNull();
    expect(sender.counts).toEqual({ sent: 1, logged: 0, refused: 0, given_up: 0 });
  });

  it('queues mails of one key once', async () => {
    const key = await world.mail();
    await world.mail({ key, subject: 'another' });
    await world.turn(world.sender());
    expect(subjects()).toEqual([key]);
  });

  it('sends each of many mails once, though two processes look at the same time, and waits for no other turn', async () => {
    const keys = await Promise.all(Array.from({ length: 40 }, () => world.mail()));
    await Promise.all([world.sender(), world.sender()].map((sender) => sender.sendDue()));
    await until(() => world.office.arrived.length >= keys.length);
    await until(async () => (await world.server.db.query(`SELECT 1 FROM mails WHERE status <> 'sent'`)).length === 0);
    expect(subjects().sort()).toEqual(keys.sort());
  });

  it('sends urgent mails before older ones', async () => {
    for (let count = 0; count < 12; count += 1) await world.mail();
    const urgent = await world.mail({ urgent: true });
    await world.sender().sendDue();
    await until(() => world.office.arrived.length === 13);
    expect(subjects().slice(0, 5)).toContain(urgent);
  });

  it('does not try a mail again that was withdrawn while it was being sent', async () => {
    const { db } = world.server;
    const key = await world.mail({ urgent: true });
    const [mail] = await world.store.claim(1);
    const { account_id: accountId } = await world.row(key);
    await withdrawMails(db, accountId, ['another', key.slice(0, 8)]);
    expect(await world.store.later(mail!, world.server.clock.now(), ['ann@x.test'], 'busy')).toBe(false);
    await world.turn(world.sender());
    expect(world.office.arrived).toEqual([]);
  });

  it('tries again after 4xx, ever later, with the same Message-ID, until it is sent', async () => {
    const sender = world.sender();
    const key = await world.mail();
    world.office.script = (stage) => (stage === 'data' ? 451 : undefined);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await world.turn(sender);
      const wait = await world.waits(key);
      waits.push(wait / 60);
      expect(await world.row(key)).toMatchObject({
        status: 'queued',
        attempts: attempt,
        last_error: expect.any(String),
      });
      await world.turn(sender);
      expect(await world.row(key)).toMatchObject({ attempts: attempt });
      await world.server.advance(wait * 1_000 + 1);
    }
    for (const [index, minutes] of waits.entries()) {
      const middle = Math.min(2 ** index, 240);
      expect(minutes).toBeGreaterThan(middle * 0.74);
      expect(minutes).toBeLessThanOrEqual(middle * 1.25);
    }
    world.office.script = () => undefined;
    await world.turn(sender);
    expect(await world.row(key)).toMatchObject({ status: 'sent', attempts: 11 });
    expect(world.said(/not sent, will be retried/)).toHaveLength(10);
  });

  it('does not go through all that wait while the server takes nothing', async () => {
    const sender = world.sender();
    await Promise.all(Array.from({ length: 12 }, () => world.mail()));
    world.office.script = (stage) => (stage === 'connect' ? 421 : undefined);
    await world.turn(sender);
    expect(world.said(/will be retried/)).toHaveLength(5);
    world.office.script = () => undefined;
    await world.turn(sender);
    await until(() => world.office.arrived.length === 7);
  });

  it('gives up after three days, with a line in the log and a state that is seen', async () => {
    const sender = world.sender();
    const key = await world.mail();
    world.office.script = (stage) => (stage === 'rcpt' ? 450 : undefined);
    let attempts = 0;
    for (let passed = 0; (await world.row(key)).status === 'queued'; attempts += 1) {
      await world.turn(sender);
      if ((await world.row(key)).status !== 'queued') break;
      const wait = Math.ceil((await world.waits(key)) * 1_000);
      await world.server.advance(wait);
      passed += wait;
      expect(passed).toBeLessThanOrEqual(3 * DAY + 10_000);
    }
    const {
      status,
      next_attempt_at: next,
      last_error: error,
      ended_at: ended,
      created_at: created,
    } = await world.row(key);
    expect([status, next]).toEqual(['given_up', null]);
    expect(error).toMatch(/450 says/);
    expect(ended.getTime() - created.getTime()).toBeGreaterThanOrEqual(3 * DAY);
    expect(attempts).toBeGreaterThan(20);
    expect(world.said(/will not be sent/)).toMatchObject([{ level: 'error', status: 'given_up', problem: error }]);
    expect(sender.counts.given_up).toBe(1);
    await world.turn(sender);
    expect(world.office.arrived).toEqual([]);
  });

  it('ends at once by a permanent answer', async () => {
    const sender = world.sender();
    const key = await world.mail();
    world.office.script = (stage) => (stage === 'rcpt' ? 550 : undefined);
    await world.turn(sender);
    expect(await world.row(key)).toMatchObject({ status: 'refused', next_attempt_at: null, attempts: 1 });
    expect(world.said(/will not be sent/)).toMatchObject([{ level: 'error', status: 'refused' }]);
    expect(sender.counts.refused).toBe(1);
  });

  it('sends again only to the recipients that did not get it', async () => {
    const sender = world.sender();
    const key = await world.mail({ to: ['ann@x.test', 'late@x.test', 'no@x.test'] });
    world.office.script = (stage, what) =>
      stage !== 'rcpt' || what === 'ann@x.test' ? undefined : what === 'no@x.test' ? 550 : 450;
    await world.turn(sender);
    expect(await world.row(key)).toMatchObject({ status: 'queued', outstanding: ['late@x.test'] });
    world.office.script = () => undefined;
    await world.server.advance(2 * MINUTE);
    await world.turn(sender);
    expect(world.office.arrived.map(({ to }) => to)).toEqual([['ann@x.test'], ['late@x.test']]);
    expect(new Set(ids()).size).toBe(1);
    expect(await world.row(key)).toMatchObject({ status: 'sent' });
  });

  /** A process that sends claimed mails and dies before it can record that. */
  async function sendAndDie(): Promise<number> {
    const mails = await world.store.claim(5);
    for (const mail of mails) await world.smtp().send(mail, new AbortController().signal);
    return mails.length;
  }

  it('sends a mail again, with the same Message-ID, if a process may have sent it before it died', async () => {
    const key = await world.mail();
    expect(await sendAndDie()).toBe(1);
    const sender = world.sender();
    await sender.sendDue();
    expect(ids()).toHaveLength(1);
    await world.server.advance(LAPSE);
    await world.turn(sender);
    expect(ids()).toHaveLength(2);
    expect(new Set(ids()).size).toBe(1);
    expect(await world.row(key)).toMatchObject({ status: 'sent', lost: 1 });
  });

  it('gives up a mail with which two processes died, after two copies at most', async () => {
    const key = await world.mail();
    await sendAndDie();
    await world.server.advance(LAPSE);
    await sendAndDie();
    await world.server.advance(LAPSE);
    await world.turn(world.sender());
    expect(ids()).toHaveLength(2);
    expect(await world.row(key)).toMatchObject({ status: 'given_up', lost: 2 });
  });

  it('leaves a mail alone that another process has taken over', async () => {
    const key = await world.mail();
    const [mine] = await world.store.claim(1);
    await world.server.advance(LAPSE);
    const [theirs] = await world.store.claim(1);
    expect(await world.store.end(mine!, 'refused', 'late')).toBe(false);
    expect(await world.store.later(mine!, new Date(), ['eve@x.test'], 'late')).toBe(false);
    expect(await world.row(key)).toMatchObject({ status: 'queued', claim: theirs!.claim, outstanding: null });
  });

  it('notes a sent mail though the database was away when it was sent', async () => {
    const key = await world.mail();
    const { db } = world.server;
    world.office.onArrival = () =>
      db
        .query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        )
        .catch(() => undefined);
    await world.sender().sendDue();
    // The test's own connection may be one of those that ended.
    await until(async () => (await world.row(key).catch(() => undefined))?.status === 'sent');
    expect(ids()).toHaveLength(1);
  });

  it('stops within its patience though a server hangs, and hands the mail back', async () => {
    const sender = world.sender();
    const key = await world.mail();
    world.office.script = (stage) => (stage === 'mail' ? 'hang' : undefined);
    await sender.sendDue();
    await sender.stop();
    expect(await world.row(key)).toMatchObject({ status: 'queued', claim: null, attempts: 1, lost: 0 });
    await world.mail();
    await sender.sendDue();
    expect((await world.server.db.query('SELECT 1 FROM mails WHERE claim IS NOT NULL')).length).toBe(0);
  });

  it('refuses a row that would inject a header, without a connection', async () => {
    const keys = [await world.mail(), await world.mail()];
    await world.server.db.query(`UPDATE mails SET subject = E'Hi\\r\\nBcc: eve@x.test' WHERE key = $1`, [keys[0]]);
    await world.server.db.query(
      `UPDATE mails SET recipients = ARRAY[E'a@x.test>\\r\\nRCPT TO:<eve@x.test'] WHERE key = $1`,
      [keys[1]],
    );
    await world.turn(world.sender());
    for (const key of keys) expect(await world.row(key)).toMatchObject({ status: 'refused' });
    expect([world.office.asked, world.office.arrived]).toEqual([[], []]);
  });

  it('forgets a mail 30 days after it was queued, once it has ended', async () => {
    const [old, waiting] = [await world.mail(), await world.mail()];
    await world.server.db.query(`UPDATE mails SET next_attempt_at = NULL, status = 'sent' WHERE key = $1`, [old]);
    await world.server.advance(29 * DAY);
    await world.store.prune();
    expect(await world.row(old)).toBeDefined();
    await world.server.advance(DAY + 1);
    await world.store.prune();
    expect([await world.row(old), (await world.row(waiting)).status]).toEqual([undefined, 'queued']);
  });

  it('writes each mail to the log, whole, and says so once without SMTP_URL', async () => {
    const sender = world.sender(null);
    const key = await world.mail({ to: ['ann@x.test', 'bob@x.test'], text: 'One\nTwo' });
    await world.turn(sender);
    await world.turn(sender);
    expect(world.said(/SMTP_URL is not set, so/)).toMatchObject([
      { level: 'info', from: 'flows@sender.test', to: ['ann@x.test', 'bob@x.test'], subject: key, text: 'One\nTwo' },
    ]);
    expect(world.said(/each mail is written/)).toHaveLength(1);
    expect(await world.row(key)).toMatchObject({ status: 'logged' });
    expect(world.office.arrived).toEqual([]);
  });

  it('logs a mail without recipients, with a warning', async () => {
    const key = await world.mail({ to: [] });
    await world.turn(world.sender());
    expect(world.said(/CONTACT_EMAIL/)).toMatchObject([{ level: 'warn', to: [], subject: key, text: 'Hello' }]);
    expect(await world.row(key)).toMatchObject({ status: 'logged' });
  });
});

describe('the queue of mails', () => {
  let world: MailWorld;
  beforeAll(async () => void (world = await MailWorld.open()));
  afterAll(() => world.close());

  it.each([
    ['a subject of two lines', { subject: 'Hi\r\nBcc: eve@x.test' }],
    ['a subject with a NUL', { subject: 'Hi\0' }],
    ['a recipient with a line break', { to: ['ann@x.test\r\nBcc: eve@x.test'] }],
    ['two recipients in one', { to: ['ann@x.test, eve@x.test'] }],
    ['a recipient with a name', { to: ['Ann <ann@x.test>'] }],
    ['one bad recipient among good ones', { to: ['ann@x.test', '<>'] }],
  ])('refuses %s', async (_, more) => {
    await expect(world.mail(more)).rejects.toThrow(/^(The subject holds|A recipient is)/);
    expect(await world.server.db.query('SELECT 1 FROM mails')).toEqual([]);
  });
});
