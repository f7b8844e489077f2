import { defaultAccount, makeExpiredKey, makeKey } from '../api-keys/key-world.js';
import { newKeyText } from '../../src/features/api-keys/key-text.js';
import { clientSchema } from '../rest/openapi/client-schema.js';
import { makeThings, type Sample, sampleRequests } from '../rest/openapi/sample-requests.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { databaseState } from '../support/database/database-state.js';
import { type RootField, rootFields } from './root-fields.js';

let server: TestServer;
let samples: Sample[];
let fields: RootField[];
const headers = new Map<string, Record<string, string>>();

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  const key = await server.key();
  const client = new Client(server.baseUrl, key);
  const things = await makeThings(client, server.db);
  samples = await sampleRequests(client, things);
  fields = rootFields(await clientSchema(client), things);
  const accountId = await defaultAccount(server);
  const [revoked, expired] = [await makeKey(server), await makeExpiredKey(server)];
  await server.apiKeys.revoke(accountId, revoked.apiKey.id);
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  headers.set('no header', {});
  headers.set('no "Bearer "', { authorization: key });
  headers.set('a malformed key', bearer(`${key}x`));
  headers.set('a key with a wrong checksum', bearer(key.slice(0, -6) + '000000'));
  headers.set('an unknown key', bearer(newKeyText()));
  headers.set('a revoked key', bearer(revoked.secret));
  headers.set('an expired key', bearer(expired.secret));
});
afterAll(() => server.close());

const FORMS = [
  'no header',
  'no "Bearer "',
  'a malformed key',
  'a key with a wrong checksum',
  'an unknown key',
  'a revoked key',
  'an expired key',
];

describe.each(FORMS)('with %s', (form) => {
  it('every route answers 401, and nothing happens', async () => {
    const client = new Client(server.baseUrl);
    const before = await databaseState(server.db);
    for (const { route, path, body } of samples) {
      const call = { headers: headers.get(form)!, ...(body ? { body } : {}) };
      const answer = await client.rest(route.method, path, call);
      expect([route.operation, answer.status, answer.body]).toEqual([
        route.operation,
        401,
        { code: 'unauthorized', message: expect.any(String) },
      ]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(await databaseState(server.db)).toEqual(before);
  });

  it('every root field is refused with HTTP 401, and nothing happens', async () => {
    const client = new Client(server.baseUrl);
    const before = await databaseState(server.db);
    for (const { operation, name, query, variables } of fields) {
      const path = operation === 'subscription' ? '/graphql/stream' : '/graphql';
      const answer = await client.send('POST', path, { headers: headers.get(form)!, body: { query, variables } });
      expect([name, answer.status, answer.body]).toEqual([
        name,
        401,
        {
          errors: [
            { message: expect.any(String), extensions: { code: 'UNAUTHORIZED', requestId: expect.any(String) } },
          ],
        },
      ]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(await databaseState(server.db)).toEqual(before);
  });

  it('the schema is not disclosed', async () => {
    const client = new Client(server.baseUrl);
    for (const body of [{ query: '{ __schema { types { name } } }' }, { query: '{' }, {}, []]) {
      const answer = await client.send('POST', '/graphql', { headers: headers.get(form)!, body });
      expect([answer.status, answer.body.data]).toEqual([401, undefined]);
    }
  });
});
