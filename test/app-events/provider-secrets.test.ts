import { createHmac } from 'node:crypto';
import { signingSecretFaults } from '../../src/features/integrations/apps/signing-secrets.js';
import { appsOf } from '../integrations/world.js';
import { EventWorld, type Source } from './event-world.js';
import { SHARED_SECRET, sourceApps } from './source-apps.js';

const SECRET = 'a secret that the provider made';
const STANDARD = `whsec_${Buffer.from('a secret of 24 bytes ....').toString('base64')}`;
const hmac = (secret: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret).update(text).digest(encoding);

let world: EventWorld;
beforeAll(async () => {
  world = await EventWorld.open({
    CALENDLY_SIGNING_SECRET: SECRET,
    SLACK_LIKE_SIGNING_SECRET: 'the secret of the environment',
  });
});
afterEach(() => world.server.db.query('DELETE FROM triggers'));
afterAll(() => world.close());

const seconds = () => Math.floor(world.server.clock.now().getTime() / 1_000);
const proofOf = async ({ id }: Source) =>
  (await world.client.graphql(`query ($id: ID!) { integration(id: $id) { eventsProof eventsSecret } }`, { id })).body
    .data.integration;

/** A post of each provider that generates its secrets, in the form of its documentation. */
interface Post {
  event: string;
  body: object;
  secret?: string;
  headers: (body: string, secret: string) => Record<string, string>;
}

const POSTS: Record<string, Post> = {
  clickup: {
    event: 'taskCreated',
    body: { webhook_id: '7689a169-a000-4985-8676-6902b96d6627', event: 'taskCreated', task_id: 'c0j' },
    headers: (body, secret) => ({ 'X-Signature': hmac(secret, body) }),
  },
  linear: {
    event: 'Issue',
    body: { action: 'create', type: 'Issue', data: { id: '2174add1' } },
    headers: (body, secret) => ({ 'Linear-Event': 'Issue', 'Linear-Signature': hmac(secret, body) }),
  },
  pagerduty: {
    event: 'incident.triggered',
    body: { event: { id: '01BX', event_type: 'incident.triggered' } },
    headers: (body, secret) => ({
      'X-PagerDuty-Signature': `v1=${hmac('the old one', body)},v1=${hmac(secret, body)}`,
    }),
  },
  resend: {
    event: 'email.bounced',
    body: { type: 'email.bounced', data: { email_id: '56761188' } },
    secret: STANDARD,
    headers: (body, secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signature = hmac(key, `msg_1.${seconds()}.${body}`, 'base64');
      return { 'svix-id': 'msg_1', 'svix-timestamp': String(seconds()), 'svix-signature': `v1,${signature}` };
    },
  },
  shopify: {
    event: 'orders/create',
    body: { id: 820982911946154500 },
    headers: (body, secret) => ({
      'X-Shopify-Topic': 'orders/create',
      'X-Shopify-Hmac-Sha256': hmac(secret, body, 'base64'),
    }),
  },
  stripe: {
    event: 'invoice.paid',
    body: { id: 'evt_1', type: 'invoice.paid' },
    headers: (body, secret) => ({ 'Stripe-Signature': `t=${seconds()},v1=${hmac(secret, `${seconds()}.${body}`)}` }),
  },
};

describe('a secret that the provider generates for each endpoint', () => {
  it.each(Object.entries(POSTS))('of %s is required once it is set', async (type, { event, body, secret, headers }) => {
    const source = await world.connectCatalog(type);
    const trigger = await world.trigger({ event, integration_id: source.id });
    const text = JSON.stringify(body);
    const named = (given: string) => headers(text, given);
    const bare = { 'Linear-Event': event, 'X-Shopify-Topic': event };
    expect(await proofOf(source)).toEqual({ eventsProof: 'MISSING', eventsSecret: null });
    expect((await world.post(source, text, bare)).body.run_ids).toHaveLength(1);

    const set = await world.update(source, { events_secret: secret ?? SECRET });
    expect([set.status, JSON.stringify(set.body).includes(secret ?? SECRET)]).toEqual([200, false]);
    expect(await proofOf(source)).toEqual({ eventsProof: 'SET', eventsSecret: null });
    const wrong = secret === undefined ? 'another secret' : `whsec_${Buffer.from('another').toString('base64')}`;
    for (const given of [bare, named(wrong)])
      expect(await world.post(source, text, given)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect((await world.post(source, text, named(secret ?? SECRET))).status).toBe(202);
    expect(await world.count(trigger)).toBe(type === 'pagerduty' || type === 'stripe' ? 1 : 2);

    await world.update(source, { events_secret: null });
    expect((await world.post(source, text, bare)).status).toBe(202);
  });
});

describe('the secret that authenticates events', () => {
  it('is the one that was set, else that of the environment, else that of the file', async () => {
    const source = await world.connect('slack_like');
    const body = '{"type":"thing.made"}';
    const statusOf = async (secret: string) => {
      const signature = `v0=${hmac(secret, `v0:${seconds()}:${body}`)}`;
      const headers = { 'x-slack-request-timestamp': String(seconds()), 'x-slack-signature': signature };
      return (await world.post(source, body, headers)).status;
    };
    const secrets = [SECRET, 'the secret of the environment', SHARED_SECRET, ''];
    const statuses = () => Promise.all(secrets.map(statusOf));
    expect(await proofOf(source)).toEqual({ eventsProof: 'APPLICATION', eventsSecret: null });
    expect(await statuses()).toEqual([401, 202, 401, 401]);
    await world.update(source, { events_secret: SECRET });
    expect(await statuses()).toEqual([202, 401, 401, 401]);
    await world.update(source, { events_secret: null });
    expect(await statuses()).toEqual([401, 202, 401, 401]);
  });

  it('is the generated one, unless one is set', async () => {
    const source = await world.connect('github_like');
    const statusOf = async (secret: string) =>
      (
        await world.post(source, '{}', {
          'x-github-event': 'thing.made',
          'x-hub-signature-256': `sha256=${hmac(secret, '{}')}`,
        })
      ).status;
    expect(await proofOf(source)).toEqual({ eventsProof: 'MADE', eventsSecret: source.secret });
    expect([await statusOf(source.secret!), await statusOf(SECRET)]).toEqual([202, 401]);
    await world.update(source, { events_secret: SECRET });
    expect([await statusOf(source.secret!), await statusOf(SECRET)]).toEqual([401, 202]);
  });

  it('is one for the whole application at Calendly', async () => {
    const source = await world.connectCatalog('calendly');
    await world.trigger({ event: 'invitee.created', integration_id: source.id });
    const body = JSON.stringify({ event: 'invitee.created', payload: { email: 'test@example.com' } });
    const headers = (secret: string) => ({
      'Calendly-Webhook-Signature': `t=${seconds()},v1=${hmac(secret, `${seconds()}.${body}`)}`,
    });
    expect((await world.post(source, body)).status).toBe(401);
    expect((await world.post(source, body, headers('another secret'))).status).toBe(401);
    expect((await world.post(source, body, headers(SECRET))).body.run_ids).toHaveLength(1);
  });

  it('is a signing token in the form of Standard Webhooks at GitLab, which the service generates', async () => {
    const source = await world.connectCatalog('gitlab');
    await world.trigger({ event: 'push', integration_id: source.id });
    expect(Buffer.from(/^whsec_(.+)$/.exec(source.secret!)![1]!, 'base64')).toHaveLength(32);
    const body = JSON.stringify({ object_kind: 'push' });
    const id = 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f';
    const key = Buffer.from(source.secret!.slice('whsec_'.length), 'base64');
    const headers = {
      'X-Gitlab-Event': 'Push Hook',
      'Idempotency-Key': id,
      'webhook-id': id,
      'webhook-timestamp': String(seconds()),
      'webhook-signature': `v1,${hmac(key, `${id}.${seconds()}.${body}`, 'base64')}`,
    };
    expect((await world.post(source, body, { 'X-Gitlab-Token': source.secret! })).status).toBe(401);
    expect((await world.post(source, body, headers)).body.run_ids).toHaveLength(1);
  });

  it('is the passcode in each body at Figma, which no run shows', async () => {
    const source = await world.connectCatalog('figma');
    await world.trigger({ event: 'FILE_COMMENT', integration_id: source.id });
    const body = { event_type: 'FILE_COMMENT', file_key: 'abc' };
    expect((await world.post(source, body)).status).toBe(401);
    expect((await world.post(source, { ...body, passcode: 'guess' })).status).toBe(401);
    const { body: answer } = await world.post(source, { ...body, passcode: source.secret });
    expect((await world.run(answer.run_ids![0]!)).input).toEqual(body);
  });
});

describe('<TYPE>_SIGNING_SECRET', () => {
  const faults = (secrets: Record<string, string>) =>
    signingSecretFaults(new Map(Object.entries(secrets)), appsOf(sourceApps('http://localhost')));

  it('is used for a type whose provider has one secret per application, and for the operator’s types', () => {
    expect(faults({ SLACK: 'x', CALENDLY: 'x', GITHUB_LIKE: 'x', STANDARD: STANDARD, NO_TYPE_AT_ALL: 'x' })).toEqual(
      [],
    );
  });

  it('is a configuration error for any other type', () => {
    const lines = ['GITHUB', 'STRIPE', 'NOTION', 'POSTMARK', 'SANDBOX_OAUTH', 'UNSIGNED'].map(
      (type) => `${type}_SIGNING_SECRET: this type has no signing secret for all its integrations.`,
    );
    const given = ['GITHUB', 'STRIPE', 'NOTION', 'POSTMARK', 'SANDBOX_OAUTH', 'UNSIGNED'].map((type) => [type, 'x']);
    expect(faults(Object.fromEntries(given)).sort()).toEqual(lines.sort());
    expect(faults({ STANDARD: 'x' })).toEqual(['STANDARD_SIGNING_SECRET: must be base64 after whsec_.']);
  });
});
