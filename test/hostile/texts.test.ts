import { getNamedType, type GraphQLInputType } from 'graphql';
import { toRestName } from '../../src/transports/rest/names.js';
import { textPlaces } from './text-places.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { isForPersons, makeThings, type Sample, sampleRequests } from '../rest/openapi/sample-requests.js';

/** Texts that PostgreSQL cannot store or would change. */
const UNFIT = ['a\0b', '\0', 'lone \ud800', '\udc00\ud800'];

let server: TestServer;
let client: Client;
let samples: Sample[];

beforeAll(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  client = new Client(server.baseUrl, await server.key());
  samples = await sampleRequests(client, await makeThings(client, server.db));
});
afterAll(() => server.close());

/** The place of a text in a body: `name`, or `actions.0.name` inside an input. */
function textsIn(type: GraphQLInputType, path: string): string[] {
  return textPlaces(type, [path], toRestName)
    .filter(({ isJson }) => !isJson)
    .map((place) => place.path.join('.'));
}

/** A copy of a body with another value at a dotted path. */
function withValue(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  const parts = path.split('.');
  const last = parts.pop()!;
  const parent = parts.reduce((inner, part) => inner[part] as Record<string, unknown>, copy);
  parent[last] = value;
  return copy;
}

/** JSON with `\ud800` as an escape; fetch would replace the character itself. */
const json = (value: unknown) => JSON.stringify(value);

describe('every text of every route', () => {
  it('is refused with NUL or a lone surrogate, naming its field', async () => {
    let tried = 0;
    for (const { route, path, body, parameters } of samples) {
      // Refused before the body is read.
      if (isForPersons(route)) continue;
      for (const field of parameters.flatMap(({ name, type }) => textsIn(type, name))) {
        for (const text of UNFIT) {
          // A URL cannot contain a lone surrogate.
          if (body === undefined && !text.includes('\0')) continue;
          const answer =
            body === undefined
              ? await client.rest(route.method, `${path}?${field}=${encodeURIComponent(text)}`)
              : await client.rest(route.method, path, { body: json(withValue(body, field, text)) });
          const fields = (answer.body.details ?? []).map((detail: { field: string }) => detail.field);
          expect([route.operation, field, answer.status, fields]).toEqual([route.operation, field, 400, [field]]);
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(30);
  });

  it('is refused in free JSON too, at its place', async () => {
    const [workflow] = [samples.find(({ route }) => route.operation === 'CreateTrigger')!.body!.workflow_id];
    for (const text of UNFIT) {
      const bad: [string, string, unknown, string][] = [
        ['POST', '/triggers', { workflow_id: workflow, type: 'manual', config: { a: [{ b: text }] } }, 'config.a.0.b'],
        ['POST', '/triggers', { workflow_id: workflow, type: 'manual', config: { [text]: 1 } }, 'config'],
        [
          'POST',
          '/integrations/connect',
          { type: 'sandbox_api_key', credentials: { api_key: text } },
          'credentials.api_key',
        ],
        [
          'PUT',
          `/workflows/${workflow as string}/actions`,
          { actions: [{ name: 'a', kind: 'delay', config: { seconds: 1, x: text } }] },
          'actions.0.config.x',
        ],
      ];
      for (const [method, path, body, field] of bad) {
        const answer = await client.rest(method, path, { body: json(body) });
        expect([path, answer.status, answer.body.details?.[0].field]).toEqual([path, 400, field]);
      }
    }
  });

  it('does not fail internally for an id that cannot be stored as text', async () => {
    for (const { route, path, body, parameters } of samples) {
      for (const { name } of parameters.filter(({ type }) => getNamedType(type).name === 'ID')) {
        for (const text of UNFIT) {
          const inPath = route.path.includes(`{${name}}`);
          const code = encodeURIComponent(text.toWellFormed());
          const url = inPath
            ? `/${route.path.slice(1).replace(`{${name}}`, code)}`
            : body
              ? path
              : `${path}?${name}=${code}`;
          const { status } = await client.rest(route.method, url, body && { body: json({ ...body, [name]: text }) });
          // A place in a list must be an id. One of the log may have been dropped.
          const unplaced = route.operation === 'ListEvents' ? 410 : 400;
          const missing = name === 'after' ? unplaced : inPath || body ? 404 : 200;
          const expected = isForPersons(route) ? 403 : missing;
          expect([route.operation, name, status]).toEqual([route.operation, name, expected]);
        }
      }
    }
  });
});

describe('every other parameter of a query', () => {
  it.each([
    '/runs?created_after=yesterday',
    '/runs?created_after=',
    '/runs?created_before=2026-02-30T00:00:00Z',
    '/runs?created_before=2026-11-21',
    '/runs?created_after=1700000000',
    '/runs?created_after=2026-11-21T00:00:00Z%00',
    '/runs?status=QUEUED',
    '/triggers?type=WEBHOOK',
    '/triggers?type=',
    '/integrations?status=active',
    '/integrations?per_page=101',
    '/integration_types?per_page=101',
  ])('is refused in %s', async (path) => {
    const answer = await client.rest('GET', path);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    expect(path).toContain(`?${answer.body.details[0].field}=`);
  });

  it.each([
    '/runs?created_after=0001-01-01T00:00:00Z&created_before=9999-12-31T23:59:59.999Z',
    '/runs?created_after=9999-12-31T23:59:59.999Z',
    '/runs?created_before=0000-01-01T00:00:00Z',
    '/runs?created_after=2026-11-21T00:00:00%2B05:30',
    '/runs?workflow_id=x&trigger_id=y',
    '/triggers?workflow_id=',
    '/integrations?type=nothing&reference=none&status=pending',
    '/integration_types?search=%25_%5C',
  ])('is taken in %s', async (path) => {
    expect(await client.rest('GET', path)).toMatchObject({ status: 200, body: { meta: { page: 1 } } });
  });
});
