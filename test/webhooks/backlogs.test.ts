import { AccountMail } from '../../src/features/accounts/account-mail.js';
import { backlogsJob, MAX_WAITING_DELIVERIES } from '../../src/features/webhooks/sending/backlogs.job.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { MailQueue } from '../../src/platform/mail/mail-queue.js';
import { Client } from '../support/http/client.js';
import { WebhookWorld } from './webhook-world.js';
import { fill } from '../support/database/fill.js';

describe('the deliveries of an account that wait', () => {
  let world: WebhookWorld;

  beforeAll(async () => {
    world = await WebhookWorld.open();
  });
  afterAll(() => world.close());

  /** Adds deliveries that are due tomorrow; `again`: those that a client requested. */
  function wait(webhook: string, count: number, again = false) {
    return fill(
      world.server.database.url,
      `INSERT INTO webhook_deliveries
         (id, account_id, webhook_id, event_id, first_id, type, status, attempts, next_attempt_at, created_at)
       SELECT gen_random_uuid(), account_id, id, id, CASE WHEN $3 THEN id END, 'run.succeeded', 'pending', 0,
         clock_now() + interval '1 day', clock_now() FROM webhooks, generate_series(1, $2::int) WHERE id = $1`,
      [fromPublicId('wh', webhook), count, again],
    );
  }

  const webhookOf = async (id: string) => (await world.client.rest('GET', `/webhooks/${id}`)).body;

  it('are 100,000 at most, without those that were requested again: the longest backlog is disabled', async () => {
    const { db, clock } = world.server;
    const mail = new AccountMail(new MailQueue(clock), 'ops@example.com');
    const run = () => backlogsJob({ db, clock, mail }).run();
    const [short, long] = [
      await world.webhook('/short', ['run.succeeded']),
      await world.webhook('/long', ['run.succeeded']),
    ];
    const b = new Client(world.server.baseUrl, await world.server.key('read-write', 'b'));
    const body = { url: world.receiver.url('/b'), events: ['run.succeeded'] };
    const foreign = (await b.rest('POST', '/webhooks', { body })).body;
    await wait(foreign.id as string, 10);
    await wait(short.id as string, 10, true);
    await wait(short.id as string, 40_000);
    await wait(long.id as string, MAX_WAITING_DELIVERIES - 40_000);
    await run();
    expect((await webhookOf(long.id as string)).status).toBe('enabled');
    await wait(short.id as string, 1);
    await run();
    const found = await world.client.graphql('query ($id: ID!) { webhook(id: $id) { status statusReason } }', {
      id: long.id,
    });
    expect(found.body.data.webhook).toEqual({ status: 'DISABLED', statusReason: 'backlog' });
    expect((await webhookOf(short.id as string)).status).toBe('enabled');
    expect((await b.rest('GET', `/webhooks/${foreign.id}`)).body.status).toBe('enabled');
    const mails = await db.query<{ subject: string; text: string }>(`SELECT subject, text FROM mails`);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('60,000 deliveries');
    const failed = await world.client.rest('GET', `/webhooks/${long.id}/deliveries?status=failed&per_page=1`);
    expect(failed.body.data[0]).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  it('are bounded also while the webhook of another account is locked', async () => {
    const { db, clock } = world.server;
    const mail = new AccountMail(new MailQueue(clock), 'ops@example.com');
    const c = new Client(world.server.baseUrl, await world.server.key('read-write', 'c'));
    const held = await world.webhook('/held', ['run.succeeded']);
    const body = { url: world.receiver.url('/c'), events: ['run.succeeded'] };
    const free = (await c.rest('POST', '/webhooks', { body })).body;
    for (const { id } of [held, free]) await wait(id as string, MAX_WAITING_DELIVERIES + 1);
    await db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM webhooks WHERE id = $1 FOR UPDATE`, [fromPublicId('wh', held.id as string)]);
      await backlogsJob({ db, clock, mail }).run();
    });
    expect((await c.rest('GET', `/webhooks/${free.id}`)).body.status).toBe('disabled');
    expect((await webhookOf(held.id as string)).status).toBe('enabled');
  });
});
