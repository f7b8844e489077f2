import pg from 'pg';
import { createTestDatabase } from '../support/database/database.js';
import { Client } from '../support/http/client.js';
import { newKeyText } from '../../src/features/api-keys/key-text.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { noteSecret, secretsIn, secretsInDatabase } from '../support/database/secrets.js';
import { startTestServer, type TestServer } from '../support/server.js';

/**
 * Every database and log of the tests is searched for secrets at its end; these tests prove that planted secrets are
 * found.
 */
describe('a database of tests', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  const planted = async (name: string): Promise<string[]> => {
    const { body } = await client.rest('POST', '/workflows', { body: { name: 'x' } });
    // Not by the service, which would also tell it to the logs of events and changes.
    const rename = (to: string) =>
      server.db.query(`UPDATE workflows SET name = $2 WHERE id = $1`, [fromPublicId('wf', body.id as string), to]);
    await rename(name);
    const found = await secretsInDatabase(server.database.url);
    await rename('x');
    await client.rest('DELETE', `/workflows/${body.id as string}`);
    return found;
  };

  it('holds no secret when all went well', async () => {
    expect(await secretsInDatabase(server.database.url)).toEqual([]);
  });

  it('is found to hold an API key, by what was noted and by its form alone', async () => {
    expect(await planted(`for ${client.key!}`)).toEqual([`public.workflows: ${client.key!}`]);
    const other = newKeyText();
    expect(await planted(other)).toEqual([`public.workflows: ${other}`]);
  });

  it('is found to hold credentials, config.secret and headers of actions', async () => {
    const { id } = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body;
    const headers = { Authorization: 'Bearer of-an-action' };
    const config = { method: 'GET', url: 'https://example.com', headers };
    const actions = [{ name: 'a', kind: 'http_request', config }];
    const secret = 'a-secret "of" a hook';
    const credentials = { api_key: 'key-that-is-refused' };
    await client.rest('PUT', `/workflows/${id as string}/actions`, { body: { actions } });
    await client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'webhook', config: { secret } } });
    await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_api_key', credentials } });
    for (const text of [headers.Authorization, credentials.api_key]) {
      expect(await planted(text)).toEqual([`public.workflows: ${text}`]);
    }
    expect(await planted(secret)).toEqual(['public.workflows: a-secret of a hook']);
  });

  it('is found to hold the token of a hook, and what tells of a flow', async () => {
    const { id } = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body;
    const hook = (await client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'webhook' } })).body;
    const token = (hook.webhook_url as string).split('/').at(-1)!;
    expect(await planted(token)).toEqual([`public.workflows: ${token}`]);
    const flow = (await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } })).body;
    const state = new URL(flow.redirect_url as string).searchParams.get('state')!;
    expect(await planted(state)).toEqual([`public.workflows: ${state}`]);
  });

  it('can’t be dropped in silence with a secret in it, written out or as bytes', async () => {
    const secret = noteSecret('planted-for-this-test');
    for (const value of [`'${secret}'::text`, `'${secret}'::bytea`, `'"${secret}"'::json`, `ARRAY['a', '${secret}']`]) {
      const database = await createTestDatabase();
      const direct = new pg.Client(database.url);
      await direct.connect();
      await direct.query(`CREATE TABLE planted AS SELECT ${value} AS it`);
      await direct.end();
      await expect(database.drop()).rejects.toThrow(`public.planted: ${secret}`);
      // The database is dropped all the same.
      await expect(database.drop()).resolves.toBeUndefined();
    }
  });
});

describe('the log of a server of tests', () => {
  it('can’t be closed in silence with a secret in it', async () => {
    const server = await startTestServer({ env: { ROLES: 'api' } });
    const key = await server.key();
    server.logs.push(`{"msg":"asked with ${key}"}\n`);
    await expect(server.close()).rejects.toThrow(`The log holds secrets:\n${key}`);
  });

  it('is not taken for a secret by what has none', () => {
    expect(secretsIn('{"msg":"listening","key_id":"key_01h455vb4pex5vsknk084sn02q"} wfk_ sbx_code_')).toEqual([]);
    // By chance, sealed texts hold this.
    expect(secretsIn(`e1.-wfs_i9Lq0GgtMoHf2Ee1pDi14gTa6pute1-Fj0GviXH5oI5hM8wu_VlA -wfk_${'0'.repeat(60)}`)).toEqual(
      [],
    );
  });
});
