import { type Caller, type KeyCaller } from '../../src/platform/context.js';
import { accessOf, authorize } from '../../src/platform/graphql/access.js';
import { ROUTES } from '../../src/transports/rest/routes.js';
import { isForPersons } from '../rest/openapi/sample-requests.js';
import { compileOperation, viewSchema } from '../../src/transports/rest/documents.js';
import { clientSchema } from '../rest/openapi/client-schema.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { type RootField, rootFields } from './root-fields.js';

const NOBODY = { workflow: '', trigger: '', integration: '', run: '' };

let server: TestServer;
let client: Client;
let fields: RootField[];

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
  fields = rootFields(await clientSchema(client), NOBODY);
});
afterAll(() => server.close());

const key = (scope: KeyCaller['scope']): KeyCaller => ({
  kind: 'key',
  accountId: '',
  keyId: '',
  scope,
  expiresAt: null,
});

const READS = ['read', 'follow'];
const WRITES = ['write', 'connect', 'reconnect'];

describe('every root field', () => {
  it('declares its access, and reads and writes are not confused', () => {
    const wrong = fields.filter(({ operation, name }) => {
      const allowed = operation === 'mutation' ? [...WRITES, 'person'] : [...READS, 'person'];
      return !allowed.includes(accessOf(name) ?? '');
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('has a name of its own, so that its access is found by it', () => {
    const names = fields.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('needs a person exactly where API keys are managed', () => {
    const personal = fields.filter(({ name }) => accessOf(name) === 'person').map(({ name }) => name);
    expect(personal).toEqual(expect.arrayContaining(['apiKeys', 'createApiKey', 'rotateApiKey', 'revokeApiKey']));
    expect(fields.filter(({ name }) => /apikey/i.test(name) && accessOf(name) !== 'person')).toEqual([]);
  });
});

const session: Caller = {
  kind: 'connect_session',
  accountId: '',
  sessionId: '',
  integrationId: null,
  expiresAt: new Date(),
};

describe('the permission table', () => {
  it('lets a read-only key read, a read-write key write too, no key manage keys, and a session follow and connect what it is for', () => {
    const may = (caller: Caller) =>
      (['read', 'follow', 'write', 'connect', 'reconnect', 'person'] as const).filter((access) => {
        try {
          authorize(caller, access);
          return true;
        } catch (error) {
          expect(error).toMatchObject({ code: 'forbidden', message: expect.stringMatching(/./) });
          return false;
        }
      });
    const ofOne: Caller = { ...session, integrationId: 'i' };
    expect([may(key('read-only')), may(key('read-write')), may(session), may(ofOne)]).toEqual([
      ['read', 'follow'],
      ['read', 'follow', 'write', 'connect', 'reconnect'],
      ['follow', 'connect', 'reconnect'],
      ['follow', 'reconnect'],
    ]);
  });

  it('asks of every route what its method says: only GET reads', async () => {
    const schema = viewSchema(await clientSchema(client));
    for (const route of ROUTES) {
      const { rootField } = compileOperation(schema, route);
      const access = accessOf(rootField.name.value);
      const expected = isForPersons(route) ? ['person'] : route.method === 'GET' ? READS : WRITES;
      expect([route.operation, expected]).toEqual([route.operation, expect.arrayContaining([access])]);
    }
  });
});
