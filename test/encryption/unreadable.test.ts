import { createOutbound } from '../../src/platform/http/outbound/outbound.js';
import { PausingProcess } from '../faults/support/pausing-process.js';
import { type Client } from '../support/http/client.js';
import { EncryptedWorld, HEADER, HOOK_SECRET, NEW_KEY, OLD_KEY, post, type Things } from './encrypted-world.js';

const REASON = expect.stringContaining('add that key back to ENCRYPTION_KEY') as unknown;

describe('a text sealed with a lost key', () => {
  let world: EncryptedWorld;
  let lost: Client;
  let restored: Client;
  let bad: Things;
  let good: Things;

  beforeAll(async () => {
    world = await EncryptedWorld.open();
    lost = await world.with(NEW_KEY);
    restored = await world.with(NEW_KEY, OLD_KEY);
    bad = await world.make(world.first.client);
    good = await world.make(lost);
  });
  afterAll(() => world.close());

  it('affects only its own rows in a list of triggers', async () => {
    const { status, body } = await lost.rest('GET', '/triggers');
    expect(status).toBe(200);
    const found = Object.fromEntries(body.data.map((trigger: { id: string }) => [trigger.id, trigger]));
    expect(found[bad.hook]).toMatchObject({
      config: { z: 1, secret: null, a: 2 },
      status: 'active',
      unreadable: REASON,
    });
    expect(found[bad.hook]).not.toHaveProperty('webhook_url');
    expect(found[bad.openHook]).toMatchObject({ config: {}, unreadable: REASON });
    expect(found[bad.schedule]).toEqual(expect.not.objectContaining({ unreadable: REASON }));
    expect(found[good.hook]).toMatchObject({
      config: { z: 1, secret: HOOK_SECRET, a: 2 },
      webhook_url: expect.any(String),
    });
    expect(found[good.hook]).not.toHaveProperty('unreadable');
  });

  it('shows at the single trigger, in GraphQL too', async () => {
    expect((await lost.rest('GET', `/triggers/${bad.hook}`)).body).toMatchObject({ unreadable: REASON });
    const query = `query ($id: ID!) { trigger(id: $id) { config webhookUrl unreadable } }`;
    const [of, ofGood] = await Promise.all([bad.hook, good.hook].map((id) => lost.graphql(query, { id })));
    expect(of!.body).toEqual({
      data: { trigger: { config: { z: 1, secret: null, a: 2 }, webhookUrl: null, unreadable: REASON } },
    });
    expect(ofGood!.body.data.trigger.unreadable).toBeNull();
  });

  it('refuses posts while the signature cannot be checked, and accepts them once the key is back', async () => {
    for (const secret of [undefined, HOOK_SECRET, 'null', '']) {
      const refused = await post(lost, bad.hookUrl, secret);
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable', message: REASON } });
    }
    expect((await post(lost, bad.openHookUrl)).status).toBe(202);
    expect((await post(lost, good.hookUrl, HOOK_SECRET)).status).toBe(202);
    expect((await post(restored, bad.hookUrl, HOOK_SECRET)).status).toBe(202);
    expect((await post(restored, bad.hookUrl)).status).toBe(401);
  });

  it('survives a change of the rest of its row', async () => {
    const put = (body: object) => lost.rest('PUT', `/triggers/${bad.hook}`, { body });
    expect(await put({ status: 'paused' })).toMatchObject({
      status: 200,
      body: { status: 'paused', unreadable: REASON },
    });
    expect(await put({ status: 'active' })).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const { body } = await restored.rest('GET', `/triggers/${bad.hook}`);
    expect(body).toMatchObject({ status: 'paused', config: { secret: HOOK_SECRET } });
    expect(Object.keys(body.config as object)).toEqual(['z', 'secret', 'a']);
    expect((await restored.rest('PUT', `/triggers/${bad.hook}`, { body: { status: 'active' } })).status).toBe(200);
  });

  it('is replaced by a new secret, but not by the null that the API showed', async () => {
    const { body: made } = await world.first.client.rest('POST', '/triggers', {
      body: { workflow_id: bad.workflow, type: 'webhook', config: { secret: HOOK_SECRET } },
    });
    const put = (config: object) => lost.rest('PUT', `/triggers/${made.id}`, { body: { config } });
    expect((await put({ secret: null })).status).toBe(400);
    expect((await put({ secret: `${HOOK_SECRET}-2` })).body.config).toEqual({ secret: `${HOOK_SECRET}-2` });
    const url = new URL(made.webhook_url as string).pathname;
    expect((await post(lost, url, `${HOOK_SECRET}-2`)).status).toBe(202);
    expect((await lost.rest('DELETE', `/triggers/${made.id}`)).status).toBe(204);
  });

  it('leaves actions empty with the reason, and those of other workflows readable', async () => {
    expect(await lost.rest('GET', `/workflows/${bad.workflow}/actions`)).toMatchObject({
      status: 200,
      body: { actions: [], actions_unreadable: REASON },
    });
    const { body } = await lost.graphql(`{ workflows { items { id actions { config } actionsUnreadable } } }`);
    expect(body.errors).toBeUndefined();
    const of = (id: string) => body.data.workflows.items.find((workflow: { id: string }) => workflow.id === id);
    expect(of(bad.workflow)).toMatchObject({ actions: [], actionsUnreadable: REASON });
    expect(of(good.workflow)).toMatchObject({ actions: [{ config: { headers: { authorization: HEADER } } }] });
    expect(of(good.workflow).actionsUnreadable).toBeNull();
    const { body: whole } = await restored.rest('GET', `/workflows/${bad.workflow}/actions`);
    expect(whole.actions).toMatchObject([{ config: { headers: { authorization: HEADER } } }]);
  });

  it('shows at integrations, whose test names it', async () => {
    const query = `{ integrations { items { id unreadable } } }`;
    const { body } = await lost.graphql(query);
    const reasons = Object.fromEntries(body.data.integrations.items.map((one: any) => [one.id, one.unreadable]));
    expect(reasons).toMatchObject({ [bad.keyed]: REASON, [good.keyed]: null });
    const test = (id: string) => lost.rest('POST', `/integrations/${id}/test`);
    expect((await test(bad.keyed)).body).toEqual({ ok: false, reason: 'credentials_unreadable' });
    expect((await test(good.keyed)).body).toEqual({ ok: true, reason: null });
    await world.first.server.advance(3_600_000);
    expect((await test(bad.oauth)).body).toEqual({ ok: false, reason: 'credentials_unreadable' });
    expect((await lost.rest('GET', `/integrations/${bad.oauth}`)).body.status).toBe('connected');
  });

  it('does not delay the renewals of others', async () => {
    const { server, provider } = world.first;
    const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    const { renewal } = new PausingProcess(server, provider.url, outbound);
    // The process of this test has the old key, so what is due first is closed to it.
    await server.db.query(
      `UPDATE integrations SET credentials = replace(credentials, 'v1.', 'v1.0') WHERE auth = 'oauth2'`,
    );
    const id = await world.first.connected('bob');
    await server.advance(3_600_000);
    for (let turn = 0; turn < 3; turn += 1) await renewal.renewDue(2);
    const due = await server.db.query(
      `SELECT 1 FROM integrations WHERE renew_at <= clock_now() AND status = 'connected'`,
    );
    expect(due).toEqual([]);
    expect(provider.requests('refresh_token')).toHaveLength(1);
    expect(await world.first.get(id)).toMatchObject({ status: 'connected' });
    await outbound.close();
  });

  it('gives a repeated request a clear error', async () => {
    const repeated = { body: { name: 'Once' }, headers: { 'idempotency-key': 'k1' } };
    expect((await world.first.client.rest('POST', '/workflows', repeated)).status).toBe(201);
    expect(await lost.rest('POST', '/workflows', repeated)).toMatchObject({ status: 503, body: { message: REASON } });
    expect((await restored.rest('POST', '/workflows', repeated)).status).toBe(201);
  });

  it('can be deleted', async () => {
    for (const path of [
      `/triggers/${bad.hook}`,
      `/triggers/${bad.openHook}`,
      `/integrations/${bad.keyed}`,
      `/integrations/${bad.oauth}`,
      `/webhooks/${bad.webhook}`,
      `/workflows/${bad.workflow}`,
    ]) {
      expect([path, (await lost.rest('DELETE', path)).status]).toEqual([path, 204]);
    }
  });
});
