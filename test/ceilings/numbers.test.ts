import { randomUUID } from 'node:crypto';
import { type Route, ROUTES } from '../../src/transports/rest/routes.js';
import { isForPersons } from '../rest/openapi/sample-requests.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { StillClock } from '../support/clock.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ clock: new StillClock(), env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const KEYED = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
/** One code point, two UTF-16 units. */
const ASTRAL = '𝒳';

/** Asserts that the request was refused for this field only. */
function refused({ status, body }: { status: number; body: any }, field: string): void {
  expect({ status, code: body.code, fields: body.details?.map((detail: { field: string }) => detail.field) }).toEqual({
    status: 400,
    code: 'validation_error',
    fields: [field],
  });
}

/** Lists of keys and changes are for people, and the log of events has no pages. */
const hasPages = (route: Route): boolean => !isForPersons(route) && route.operation !== 'ListEvents';

describe('per_page', () => {
  const lists = ROUTES.filter((route) => route.operation.startsWith('List') && hasPages(route));

  it.each(lists.map(({ path }) => path))('of %s is 100 at most, and 1 at least', async (path) => {
    const [, collection] = path.split('/');
    const made = await (collection === 'integrations'
      ? client.rest('POST', '/integrations/connect', { body: KEYED })
      : client.rest('POST', `/${collection}`, { body: { name: 'x', url: client.baseUrl, events: ['run.failed'] } }));
    const id = path.includes('{id}') ? (made.body.id as string) : '';
    const page = (size: number) => client.rest('GET', `${path.replace('{id}', id)}?per_page=${size}`);
    for (const size of [1, 100]) expect((await page(size)).body.meta.per_page).toBe(size);
    for (const size of [0, 101]) refused(await page(size), 'per_page');
  });
});

describe('texts of a connection', () => {
  it.each(['label', 'reference'])('%s has 255 code points at most, and 1 at least', async (field) => {
    const connect = (base: object, text: string) =>
      client.rest('POST', '/integrations/connect', { body: { ...base, [field]: text } });
    for (const base of [KEYED, { type: 'sandbox_oauth' }]) {
      for (const letter of ['x', ASTRAL]) {
        expect((await connect(base, letter.repeat(255))).status).toBeLessThan(300);
        refused(await connect(base, letter.repeat(256)), field);
      }
      refused(await connect(base, ''), field);
    }
  });
});

describe('a connect session', () => {
  const make = (body: object) => client.rest('POST', '/connect_sessions', { body: { type: 'sandbox_oauth', ...body } });

  it('lives 3,600 seconds at most, and 60 at least, on both doors', async () => {
    for (const expires_in of [60, 3_600]) {
      const { status, body } = await make({ expires_in });
      const lives = (Date.parse(body.expires_at as string) - server.clock.now().getTime()) / 1_000;
      expect([status, Math.abs(lives - expires_in) < 30]).toEqual([201, true]);
    }
    for (const expires_in of [59, 3_601]) refused(await make({ expires_in }), 'expires_in');
    const ask = (expiresIn: number) =>
      client.graphql(
        'mutation ($s: Int) { createConnectSession(input: { type: "sandbox_oauth", expiresIn: $s }) { id } }',
        { s: expiresIn },
      );
    expect((await ask(3_600)).body.errors).toBeUndefined();
    expect((await ask(3_601)).body.errors![0].extensions.code).toBe('VALIDATION_ERROR');
  });

  it.each(['label', 'reference'])('has a %s of 255 code points at most, and 1 at least', async (field) => {
    for (const letter of ['x', ASTRAL]) {
      expect((await make({ [field]: letter.repeat(255) })).status).toBe(201);
      refused(await make({ [field]: letter.repeat(256) }), field);
    }
    refused(await make({ [field]: '' }), field);
  });
});

describe('?wait=', () => {
  it('is 30 seconds at most, and 1 at least, on both doors', async () => {
    const { id } = (await client.rest('POST', '/integrations/connect', { body: KEYED })).body;
    for (const wait of [1, 30]) expect((await client.rest('GET', `/integrations/${id}?wait=${wait}`)).status).toBe(200);
    for (const wait of [0, 31]) refused(await client.rest('GET', `/integrations/${id}?wait=${wait}`), 'wait');
    const ask = (wait: number) =>
      client.graphql('query ($id: ID!, $wait: Int) { integration(id: $id, wait: $wait) { id } }', { id, wait });
    expect((await ask(30)).body.errors).toBeUndefined();
    expect((await ask(31)).body.errors![0].extensions.code).toBe('VALIDATION_ERROR');
  });
});

describe('an Idempotency-Key', () => {
  const post = (key: string, name = 'x') =>
    client.rest('POST', '/workflows', { body: { name }, headers: { 'idempotency-key': key } });

  it('has 255 characters at most', async () => {
    const key = 'k'.repeat(255);
    const first = await post(key);
    expect([first.status, (await post(key)).body.id]).toEqual([201, first.body.id]);
    refused(await post(`${key}k`), 'Idempotency-Key');
  });

  it('whose process died is free after 60 s, and not after 59', async () => {
    const key = randomUUID();
    const { id } = (await post(key)).body;
    // The state after a process died between claim and commit: the claim, and no write.
    await server.db.query('UPDATE idempotency_keys SET status = NULL, answer = NULL WHERE answer IS NOT NULL');
    await client.rest('DELETE', `/workflows/${id}`);
    await server.advance(59_000);
    expect(await post(key)).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
    await server.advance(1_000);
    expect((await post(key)).status).toBe(201);
  });
});
