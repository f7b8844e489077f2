import { createHmac } from 'node:crypto';
import { openCredentials } from '../../src/features/integrations/tokens/credentials.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { makeThings, sampleRequests } from '../rest/openapi/sample-requests.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { databaseState } from '../support/database/database-state.js';

const APP_KEY = 'sandbox_valid_key';
const REFUSED_KEY = 'sandbox_refused_5b1c9d';
const HOOK_SECRET = 'hook-secret-77ac01e2';
const HEADER_SECRET = 'header-secret-91bd44f0';
const MISPLACED = 'misplaced-secret-3a90ee';

let server: TestServer;
let client: Client;
/** What every test looks for, by what it is. */
const secrets = new Map<string, string>();
const answers: { path: string; text: string }[] = [];

/** Calls REST and keeps the answer, with its headers. */
async function rest(method: string, path: string, body?: unknown) {
  const answer = await client.rest(method, path, body === undefined ? {} : { body });
  answers.push({ path, text: JSON.stringify([[...answer.headers], answer.body]) });
  return answer;
}

/** Everything that handles a secret, once well and once badly. */
beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'debug' } });
  client = new Client(server.baseUrl, await server.key());
  secrets.set('API key', client.key!);
  secrets.set("another account's API key", await server.key('read-write', 'other'));
  secrets.set('key of an application', APP_KEY).set('refused key of an application', REFUSED_KEY);
  secrets
    .set('secret of a hook', HOOK_SECRET)
    .set('header of an action', HEADER_SECRET)
    .set('misplaced secret', MISPLACED);
  await connectByKey();
  await connectByOAuth();
  await fireHooks();
  await failInAllWays();
  for (const { route, path, body } of await sampleRequests(client, await makeThings(client, server.db))) {
    await rest(route.method, path, body);
  }
});
afterAll(() => server.close());

async function connectByKey() {
  const connect = (api_key: string) =>
    rest('POST', '/integrations/connect', { type: 'sandbox_api_key', credentials: { api_key } });
  const { id } = (await connect(APP_KEY)).body;
  await connect(REFUSED_KEY);
  await rest('POST', `/integrations/${id}/reconnect`, { credentials: { api_key: REFUSED_KEY } });
  await rest('POST', `/integrations/${id}/reconnect`, { credentials: { api_key: APP_KEY } });
  await rest('POST', `/integrations/${id}/test`);
}

async function connectByOAuth() {
  const started = await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
  const consent = new URL(started.body.redirect_url as string);
  const form = new URLSearchParams(consent.search);
  form.set('decision', 'grant');
  const granted = await fetch(consent.origin + consent.pathname, { method: 'POST', body: form, redirect: 'manual' });
  const callback = new URL(granted.headers.get('location')!);
  secrets.set('OAuth state', callback.searchParams.get('state')!).set('OAuth code', callback.searchParams.get('code')!);
  await fetch(`${server.baseUrl}/oauth/callback/sandbox_oauth?state=${MISPLACED}&code=${MISPLACED}`);
  await fetch(callback);
  // A replay is refused, and logged perhaps.
  await fetch(callback);
  await fetch(`${server.baseUrl}/connect/${MISPLACED}`);
  const [row] = await server.db.query<{ id: string; accountId: string; credentials: string }>(
    `SELECT id, account_id AS "accountId", credentials FROM integrations WHERE type = 'sandbox_oauth'`,
  );
  const opened = openCredentials(
    new Secrets([Buffer.alloc(32)]),
    { accountId: row!.accountId, uuid: row!.id },
    row!.credentials,
  );
  if (!('accessToken' in opened) || opened.refreshToken === null) throw new Error('The sandbox gave no tokens.');
  secrets.set('access token', opened.accessToken).set('refresh token', opened.refreshToken);
  await rest('GET', `/integrations/${started.body.integration_id}`);
  await rest('POST', `/integrations/${started.body.integration_id}/test`);
}

async function fireHooks() {
  const workflow = (await rest('POST', '/workflows', { name: 'x', status: 'active' })).body.id;
  const headers = { 'X-Token': HEADER_SECRET };
  const action = { name: 'a', kind: 'http_request', config: { method: 'GET', url: 'https://a.example/', headers } };
  await client.rest('PUT', `/workflows/${workflow}/actions`, { body: { actions: [action] } });
  const body = { workflow_id: workflow, type: 'webhook', config: { secret: HOOK_SECRET } };
  const { webhook_url } = (await client.rest('POST', '/triggers', { body })).body;
  secrets.set('token of a hook', webhook_url.split('/').at(-1));
  const fire = (text: string, secret: string) =>
    fetch(webhook_url as string, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        'x-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
      },
    });
  await fire('{}', HOOK_SECRET);
  await fire('{}', 'another');
  await fire(`{${MISPLACED}`, HOOK_SECRET);
  await fetch(`${webhook_url}x`, { method: 'POST', body: MISPLACED });
  await fetch(webhook_url as string, { method: 'GET' });
}

/** Secrets in places where they don't belong. */
async function failInAllWays() {
  const { key } = client;
  for (const body of [
    `{"name":"${MISPLACED}`,
    `"${MISPLACED}"`,
    { name: 'x', status: MISPLACED },
    { name: { key: MISPLACED } },
    { name: MISPLACED + '\0' },
  ]) {
    await rest('POST', '/workflows', body);
  }
  await rest('POST', '/integrations/connect', { type: MISPLACED, credentials: MISPLACED });
  await rest('GET', `/workflows?page=${MISPLACED}&key=${key!}`);
  await rest('GET', `/${MISPLACED}/${key!}`);
  for (const query of [`{ ${MISPLACED.replaceAll('-', '_')} }`, `query ($id: ID!) { workflow(id: $id) { id } }`, '{']) {
    await client.graphql(query, { id: { secret: MISPLACED }, credentials: { api_key: APP_KEY } });
  }
  for (const path of ['/v1/workflows', '/graphql', '/graphql/stream']) {
    await fetch(server.baseUrl + path, {
      headers: { authorization: `bearer ${key!}`, cookie: `session=${MISPLACED}` },
    });
    await fetch(`${server.baseUrl}${path}?access_token=${key!}`);
  }
  await fetch(`${server.baseUrl}/${MISPLACED}?key=${key!}`);
}

/** The names of the secrets that a text holds. */
const foundIn = (text: string, but: string[] = []) =>
  [...secrets].filter(([name, secret]) => !but.includes(name) && text.includes(secret)).map(([name]) => name);

describe('a secret', () => {
  it('is known to this test in all its kinds', () => {
    for (const [name, secret] of secrets) expect([name, secret.length >= 16]).toEqual([name, true]);
    expect(secrets.size).toBe(12);
  });

  it('is in no line of the log', () => {
    expect(server.logs.length).toBeGreaterThan(50);
    expect(server.logs.flatMap((line) => foundIn(line).map((name) => `${name}: ${line}`))).toEqual([]);
  });

  it('is in no response other than the documented ones', () => {
    expect(answers.length).toBeGreaterThan(30);
    const own = ['secret of a hook', 'header of an action', 'token of a hook'];
    const leaks = answers.flatMap(({ path, text }) => {
      // Triggers and actions are given back as they were sent.
      const isOwn = /^\/(triggers|workflows\/[^/]+\/actions)/.test(path);
      return foundIn(text, isOwn ? own : []).map((name) => `${name}: ${path} ${text}`);
    });
    expect(leaks).toEqual([]);
  });

  it('is in no row of the database in the clear', async () => {
    const state = await databaseState(server.db);
    const leaks = Object.entries(state)
      // The sandbox plays the application, which knows its own keys.
      .filter(([table]) => !table.startsWith('sandbox'))
      .flatMap(([table, rows]) => rows.flatMap((row) => foundIn(row).map((name) => `${name} in ${table}`)));
    expect(leaks).toEqual([]);
  });
});
