import { accessOf } from '../../src/platform/graphql/access.js';
import { clientSchema } from '../rest/openapi/client-schema.js';
import { isForPersons, makeThings, type Sample, sampleRequests } from '../rest/openapi/sample-requests.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { databaseState } from '../support/database/database-state.js';
import { firstEvent } from './event-stream.js';
import { type RootField, rootFields } from './root-fields.js';

let server: TestServer;
let writer: Client;
let reader: Client;
let samples: Sample[];
let fields: RootField[];
let before: Record<string, string[]>;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  writer = new Client(server.baseUrl, await server.key());
  reader = new Client(server.baseUrl, await server.key('read-only'));
  const things = await makeThings(writer, server.db);
  samples = await sampleRequests(writer, things);
  fields = rootFields(await clientSchema(writer), things);
  // Its one write of `last_used_at` comes now.
  await reader.rest('GET', '/workflows');
  await new Promise((resolve) => setTimeout(resolve, 200));
  before = await databaseState(server.db);
});
afterAll(() => server.close());
afterEach(async () => {
  expect(await databaseState(server.db)).toEqual(before);
});

describe('a read-only key', () => {
  it('gets 403 from every route that writes, and nothing is executed', async () => {
    const writing = samples.filter(({ route }) => route.method !== 'GET');
    expect(writing.length).toBeGreaterThan(10);
    for (const { route, path, body } of writing) {
      for (const sent of [body, {}, '{']) {
        const answer = await reader.rest(route.method, path, { body: sent });
        expect([route.operation, answer.status, answer.body]).toEqual([
          route.operation,
          403,
          { code: 'forbidden', message: expect.any(String) },
        ]);
      }
    }
  });

  it('gets 200 from every route that reads, but for those of people', async () => {
    for (const { route, path } of samples.filter(({ route }) => route.method === 'GET')) {
      const { status } = await reader.rest('GET', path);
      expect([route.operation, status]).toEqual([route.operation, isForPersons(route) ? 403 : 200]);
    }
  });

  it('gets 403 for every mutation, and nothing is executed', async () => {
    const mutations = fields.filter(({ operation }) => operation === 'mutation');
    expect(mutations.length).toBeGreaterThan(10);
    for (const { name, query, variables } of mutations) {
      const { status, body } = await reader.graphql(query, variables);
      expect([name, status, body.data, body.errors![0].extensions.code]).toEqual([name, 403, undefined, 'FORBIDDEN']);
    }
  });

  it('may run nothing of a document that holds a mutation anywhere', async () => {
    const query =
      'query Read { viewer { account { name } } } mutation Write { createWorkflow(input: { name: "x" }) { id } }';
    for (const operationName of ['Read', 'Write']) {
      const { status, body } = await reader.send('POST', '/graphql', { body: { query, operationName } });
      expect([status, body.data, body.errors[0].extensions.code]).toEqual([403, undefined, 'FORBIDDEN']);
    }
  });

  it('may not write by GET, by a batch or over an event stream', async () => {
    const query = 'mutation { createWorkflow(input: { name: "x" }) { id } }';
    const attempts = [
      await reader.send('GET', `/graphql?query=${encodeURIComponent(query)}`),
      await reader.send('POST', '/graphql', { body: [{ query }] }),
      await reader.send('POST', '/graphql/stream', { body: { query } }),
    ];
    for (const { status, body } of attempts) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body).not.toHaveProperty('data');
    }
  });

  it('may ask every query and subscription, but for those of persons', async () => {
    for (const { operation, name, query, variables } of fields.filter(({ operation }) => operation !== 'mutation')) {
      const personal = accessOf(name) === 'person';
      const answer =
        operation === 'query'
          ? (await reader.graphql(query, variables)).body
          : await firstEvent(reader, query, variables, 500);
      expect([name, answer?.errors?.[0].extensions.code]).toEqual([name, personal ? 'FORBIDDEN' : undefined]);
    }
  });
});

describe('a read-write key', () => {
  it('may not do what needs a person', async () => {
    for (const { name, query, variables } of fields.filter(({ name }) => accessOf(name) === 'person')) {
      const { body } = await writer.graphql(query, variables);
      expect([name, body.errors![0].extensions.code]).toEqual([name, 'FORBIDDEN']);
    }
  });
});
