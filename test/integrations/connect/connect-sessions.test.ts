import { newCheckedText } from '../../../src/features/api-keys/key-text.js';
import { databaseState } from '../../support/database/database-state.js';
import { Client } from '../../support/http/client.js';
import { overSse, overWebSocket } from '../changes/listeners.js';
import { SessionWorld, SHOP } from './session-world.js';
import { wrongSecret } from '../../support/wrong-secret.js';
import { until } from '../../support/until.js';

const MINUTE = 60_000;
const CONNECT = `mutation ($input: ConnectIntegrationInput!) { connectIntegration(input: $input) { __typename } }`;

let world: SessionWorld;
/** All rows, without the last use of keys, which is written later. */
const stored = async () => ({ ...(await databaseState(world.server.db)), api_keys: [] });
beforeAll(async () => {
  world = await SessionWorld.open({ env: { ROLES: 'api' } });
});
afterAll(() => world.close());

describe('a browser with the token alone', () => {
  it.each([
    ['WebSocket', overWebSocket],
    ['SSE', overSse],
  ])('connects, and receives the change over %s', async (_, door) => {
    const { client, made } = await world.browser();
    const { redirect_url, integration_id } = await world.start(client);
    const listening = door(world.server, made.token, { id: integration_id });
    expect((await world.decide(redirect_url)).status).toBe(200);
    const { body } = await client.rest('GET', `/integrations/${integration_id}?wait=10&after_version=1`);
    expect(body).toMatchObject({ status: 'connected', version: 2 });
    await until(() => listening.heard.at(-1)?.status === 'CONNECTED');
    expect(listening.heard.at(-1)).toMatchObject({ version: 2, integrationId: integration_id });
    listening.close();
  });

  it('is answered by ?wait= as soon as the user has granted access', async () => {
    const { client } = await world.browser();
    const { redirect_url, integration_id } = await world.start(client);
    const waiting = client.rest('GET', `/integrations/${integration_id}?wait=30`);
    await world.decide(redirect_url);
    expect((await waiting).body.status).toBe('connected');
  });

  it('connects an application with an API key', async () => {
    const { client } = await world.browser({ type: 'sandbox_api_key', label: 'Ours', reference: 'customer-42' });
    const type = 'sandbox_api_key';
    const refused = await client.rest('POST', '/integrations/connect', {
      body: { type, credentials: { api_key: 'wrong' } },
    });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_credentials']);
    const body = { type, label: 'mine', reference: 'customer-1', credentials: { api_key: 'sandbox_valid_key' } };
    const { status, body: made } = await client.rest('POST', '/integrations/connect', { body });
    expect([status, made.type, made.name, made.status]).toEqual([201, 'sandbox_api_key', 'Ours', 'connected']);
    const seen = (await world.owner.rest('GET', `/integrations/${made.id}`)).body;
    expect(seen.reference).toBe('customer-42');
  });

  it('connects over GraphQL too, and reads the types', async () => {
    const { client } = await world.browser();
    const { body } = await client.graphql(
      `mutation { connectIntegration(input: { type: "sandbox_oauth" }) {
         ... on IntegrationAuthorization { redirectUrl integrationId connectUrl } } }`,
    );
    const { redirectUrl, integrationId, connectUrl } = body.data.connectIntegration;
    expect(connectUrl).toContain(`${world.server.baseUrl}/connect/`);
    await world.decide(redirectUrl as string);
    const read = await client.graphql(
      `query ($id: ID!) { integration(id: $id) { status history { items { reason } } }
         integrationTypes(search: "sandbox") { items { type } } }`,
      { id: integrationId },
    );
    expect(read.body.data).toEqual({
      integration: {
        status: 'CONNECTED',
        history: { items: [{ reason: 'connected' }, { reason: 'awaiting_authorization' }] },
      },
      integrationTypes: { items: [{ type: 'sandbox_api_key' }, { type: 'sandbox_oauth' }] },
    });
    expect((await client.rest('GET', '/integration_types?search=sandbox')).body.meta.total).toBe(2);
    // Of APPS_FILE it may be an address inside the operator's network.
    const inside = await client.graphql('{ integrationTypes { items { apiBaseUrl } } }');
    expect(inside.body).toMatchObject({
      data: { integrationTypes: null },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
  });
});

describe('a value that the session fixes', () => {
  it('wins over the body, and the body decides the others', async () => {
    const fixed = { type: 'sandbox_oauth', label: 'Fixed', reference: 'r-1', return_url: `${SHOP}/done?x=1` };
    const { client } = await world.browser(fixed);
    const { redirect_url, integration_id } = await world.start(client, {
      type: 'sandbox_oauth',
      label: 'Mine',
      reference: 'r-2',
      return_url: world.server.baseUrl,
    });
    expect((await world.owner.rest('GET', `/integrations/${integration_id}`)).body).toMatchObject({
      type: 'sandbox_oauth',
      name: 'Fixed',
      reference: 'r-1',
    });
    const location = (await world.decide(redirect_url)).headers.get('location');
    expect(location).toBe(`${SHOP}/done?x=1&integration_id=${integration_id}&status=connected`);

    const open = await world.browser({});
    const second = await world.start(open.client, { type: 'sandbox_oauth', label: 'Mine', reference: 'r-2' });
    expect((await world.owner.rest('GET', `/integrations/${second.integration_id}`)).body).toMatchObject({
      name: 'Mine',
      reference: 'r-2',
    });
  });

  it.each(['sandbox_api_key', 'google_calendar', 'no_such_app', ''])(
    'forbids its token the type %j, and nothing changes',
    async (type) => {
      const { client } = await world.browser();
      const { integration_id } = await world.start(client);
      const before = await stored();
      const body = { type, credentials: { api_key: 'sandbox_valid_key' } };
      const rest = await client.rest('POST', '/integrations/connect', { body });
      expect([rest.status, rest.body.code]).toEqual([403, 'forbidden']);
      const graphql = await client.graphql(CONNECT, { input: body });
      expect(graphql.body.errors![0].extensions.code).toBe('FORBIDDEN');
      expect(await stored()).toEqual(before);
      expect((await client.rest('GET', `/integrations/${integration_id}`)).body.status).toBe('pending');
    },
  );
});

describe('a session’s one connection', () => {
  it('may be retried after a denial, with the same integration', async () => {
    const { client } = await world.browser();
    const first = await world.start(client);
    await world.decide(first.redirect_url, 'deny');
    const denied = (await client.rest('GET', `/integrations/${first.integration_id}`)).body;
    expect([denied.status, denied.status_reason]).toEqual(['disconnected', 'access_denied']);

    const second = await world.start(client);
    expect(second.integration_id).toBe(first.integration_id);
    await world.decide(second.redirect_url, 'deny');
    const third = await client.rest('POST', `/integrations/${first.integration_id}/reconnect`);
    await world.decide(third.body.redirect_url as string);
    expect((await client.rest('GET', `/integrations/${first.integration_id}`)).body.status).toBe('connected');
  });

  it('is reconnected, not duplicated, when it is started again', async () => {
    const reference = 'only-one';
    const { client } = await world.browser({ type: 'sandbox_oauth', reference });
    const { redirect_url, integration_id } = await world.start(client);
    await world.decide(redirect_url);
    const again = await world.start(client);
    expect(again.integration_id).toBe(integration_id);
    await world.decide(again.redirect_url);
    const { body } = await world.owner.rest('GET', `/integrations?reference=${reference}`);
    expect(body.data).toMatchObject([{ id: integration_id, status: 'connected' }]);
    const read = await world.owner.graphql(
      `query ($id: ID!) { integration(id: $id) { history { items { reason } } } }`,
      { id: integration_id },
    );
    expect(read.body.data.integration.history.items[0].reason).toBe('reconnected');
  });

  it('is created once by many simultaneous starts', async () => {
    const reference = 'at-once';
    const { client } = await world.browser({ type: 'sandbox_oauth', reference });
    const started = await Promise.all(Array.from({ length: 8 }, () => world.start(client)));
    expect(new Set(started.map(({ integration_id }) => integration_id)).size).toBe(1);
    expect((await world.owner.rest('GET', `/integrations?reference=${reference}`)).body.meta.total).toBe(1);
  });

  it('may switch to another type as long as nothing is connected', async () => {
    const { client } = await world.browser({});
    const first = await world.start(client);
    const second = await world.start(client, {
      type: 'sandbox_api_key',
      credentials: { api_key: 'sandbox_valid_key' },
    });
    const left = (await client.rest('GET', `/integrations/${first.integration_id}`)).body;
    expect([left.status, left.status_reason]).toEqual(['disconnected', 'superseded']);
    expect((await world.decide(first.redirect_url)).status).toBe(400);
    expect((await client.rest('GET', `/integrations/${second.id}`)).body.status).toBe('connected');
    for (const path of ['/integrations/connect', `/integrations/${first.integration_id}/reconnect`]) {
      const third = await client.rest('POST', path, { body: { type: 'sandbox_oauth' } });
      expect([third.status, third.body.code]).toEqual([409, 'conflict']);
    }
  });

  it('is not created again once the account has deleted it', async () => {
    const { client } = await world.browser();
    const { integration_id } = await world.start(client);
    await world.owner.rest('DELETE', `/integrations/${integration_id}`);
    expect((await client.rest('GET', `/integrations/${integration_id}`)).status).toBe(404);
    const again = await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });
});

describe('a session for an existing integration', () => {
  it('reads, awaits and reconnects it', async () => {
    const id = await world.connected();
    const { client, made } = await world.browser({ integration_id: id });
    expect((await client.rest('GET', `/integrations/${id}`)).body.status).toBe('connected');
    const credentials = { api_key: 'sandbox_valid_key' };
    const one = await client.rest('POST', `/integrations/${id}/reconnect`, { body: { credentials } });
    expect([one.status, one.body.version]).toEqual([200, 2]);
    const listening = overWebSocket(world.server, made.token, { id, afterVersion: 1 });
    await until(() => listening.heard.length >= 1);
    expect(listening.heard.map(({ reason }) => reason)).toEqual(['reconnected']);
    listening.close();
  });

  it('may start no other flow of any type, and nothing changes', async () => {
    const [id, other] = [await world.connected(), await world.connected()];
    const { client } = await world.browser({ integration_id: id });
    const before = await stored();
    const credentials = { api_key: 'sandbox_valid_key' };
    for (const answer of [
      await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_api_key', credentials } }),
      await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } }),
      await client.rest('POST', '/integrations/connect', { body: 'nothing of this is read' }),
      await client.rest('POST', `/integrations/${other}/reconnect`, { body: { credentials } }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    }
    const { body } = await client.graphql(CONNECT, { input: { type: 'sandbox_api_key', credentials } });
    expect(body.errors![0].extensions.code).toBe('FORBIDDEN');
    expect(await stored()).toEqual(before);
  });

  it('ends with it', async () => {
    const id = await world.connected();
    const { client, made } = await world.browser({ integration_id: id });
    await world.owner.rest('DELETE', `/integrations/${id}`);
    expect((await client.rest('GET', `/integrations/${id}`)).status).toBe(404);
    const body = { credentials: { api_key: 'sandbox_valid_key' } };
    expect((await client.rest('POST', `/integrations/${id}/reconnect`, { body })).status).toBe(404);
    const form = new URLSearchParams({ api_key: 'sandbox_valid_key' });
    const posted = await fetch(made.connect_url, { method: 'POST', body: form });
    expect([posted.status, (await posted.text()).includes('was deleted')]).toEqual([409, true]);
  });
});

describe('the end of a session', () => {
  it('is at its expiry, to the second: 401, sockets closed with 4403, streams ended, the page 404', async () => {
    const { client, made } = await world.browser({ type: 'sandbox_oauth', expires_in: 60 });
    const { integration_id } = await world.start(client);
    const [socket, stream] = [overWebSocket, overSse].map((door) =>
      door(world.server, made.token, { id: integration_id }),
    );
    await until(() => socket!.heard.length + stream!.heard.length >= 2);
    await world.server.advance(Date.parse(made.expires_at) - world.server.clock.now().getTime() - 30_000);
    expect((await client.rest('GET', `/integrations/${integration_id}`)).status).toBe(200);
    expect((await fetch(made.connect_url)).status).toBe(200);

    await world.server.advance(30_000);
    expect(await socket!.ended).toBe('4403');
    expect(await stream!.ended).toBe('cut');
    for (const answer of [
      await client.rest('GET', `/integrations/${integration_id}`),
      await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } }),
      await client.rest('GET', '/integration_types'),
      await client.rest('GET', '/workflows'),
      await client.graphql('{ __typename }'),
    ]) {
      expect(answer.status).toBe(401);
    }
    const late = overWebSocket(world.server, made.token, { id: integration_id });
    expect(await late.ended).toBe('4401');
    expect((await fetch(made.connect_url)).status).toBe(404);
    expect((await world.owner.rest('GET', `/integrations/${integration_id}`)).body.status).toBe('pending');
  });

  it('does not end an open flow', async () => {
    const { client } = await world.browser({ type: 'sandbox_oauth', expires_in: 60 });
    const { redirect_url, integration_id } = await world.start(client);
    await world.server.advance(2 * MINUTE);
    await world.decide(redirect_url);
    expect((await world.owner.rest('GET', `/integrations/${integration_id}`)).body.status).toBe('connected');
  });
});

describe('the token', () => {
  it('is 401 without a query if it is mistyped', async () => {
    const { token } = await world.session();
    const before = world.server.db.statements;
    for (const wrong of [wrongSecret(token), token.slice(0, -1), `${token}0`, `wfk_${token.slice(4)}x`, 'wfs_']) {
      expect((await new Client(world.server.baseUrl, wrong).rest('GET', '/integration_types')).status).toBe(401);
    }
    expect(world.server.db.statements).toBe(before);
    const unknown = new Client(world.server.baseUrl, `wfs_${newCheckedText()}`);
    expect((await unknown.rest('GET', '/integration_types')).status).toBe(401);
  });

  it('is in no row and no log line, and neither is the URL of its page', async () => {
    const { client, made } = await world.browser();
    await world.start(client);
    await fetch(made.connect_url);
    const repeated = { headers: { 'idempotency-key': 'one' }, body: { type: 'sandbox_oauth' } };
    const kept = (await world.owner.rest('POST', '/connect_sessions', repeated)).body;
    const replay = await world.owner.rest('POST', '/connect_sessions', repeated);
    expect([replay.body, replay.headers.get('idempotent-replayed')]).toEqual([kept, 'true']);
    const texts = [JSON.stringify(await databaseState(world.server.db)), ...world.server.logs];
    for (const secret of [made, kept].flatMap(({ token, connect_url }) => [token, connect_url.split('/').at(-1)!])) {
      expect(secret.length).toBeGreaterThan(30);
      expect(texts.filter((text) => text.includes(secret as string))).toEqual([]);
    }
    expect(made.connect_url).not.toContain(made.token.slice(4));
  });
});

describe('an Idempotency-Key under a session', () => {
  it('repeats the response of that session, and of no other caller', async () => {
    const [one, two] = [await world.browser(), await world.browser()];
    const start = (client: Client) =>
      client.rest('POST', '/integrations/connect', {
        body: { type: 'sandbox_oauth' },
        headers: { 'idempotency-key': 'k' },
      });
    const [first, other, owners, again] = [
      await start(one.client),
      await start(two.client),
      await start(world.owner),
      await start(one.client),
    ];
    expect([first, other, owners, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      null,
      null,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
    expect(new Set([first, other, owners].map(({ body }) => body.integration_id)).size).toBe(3);
  });
});
