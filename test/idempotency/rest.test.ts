import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('Idempotency-Key over REST', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer();
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  const headers = (key: string) => ({ 'idempotency-key': key });
  const total = async () => (await client.rest('GET', '/workflows')).body.meta.total as number;

  it('a repeated POST has no second effect and gets the same response', async () => {
    const before = await total();
    const call = { body: { name: 'once' }, headers: headers('create-1') };
    const first = await client.rest('POST', '/workflows', call);
    const again = await client.rest('POST', '/workflows/?ignored=1', call);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await client.send('POST', '/v1/%77orkflow%73', call)).body).toEqual(first.body);
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await total()).toBe(before + 1);
  });

  it('20 at the same time create one', async () => {
    const before = await total();
    const call = { body: { name: 'race' }, headers: headers('race-1') };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.rest('POST', '/workflows', call)));
    expect([201, 409]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
    expect(await total()).toBe(before + 1);
  });

  it('another body under the same key is 422 `idempotency_mismatch`', async () => {
    await client.rest('POST', '/workflows', { body: { name: 'a' }, headers: headers('mismatch') });
    const other = await client.rest('POST', '/workflows', { body: { name: 'b' }, headers: headers('mismatch') });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
  });

  it('the same value in another spelling is the same body', async () => {
    const post = (body: string) =>
      fetch(`${server.baseUrl}/v1/workflows`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json', ...headers('spelling') },
        body,
      });
    expect((await post('{"name":"x","description":"\\u00e4"}')).headers.get('idempotent-replayed')).toBeNull();
    const again = await post('{ "description" : "ä",\n"name": "x" }');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect((await post('{"name":"x","description":"a"}')).status).toBe(422);
  });

  it('a number that a double rounds is another body than its neighbour', async () => {
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'numbers' } });
    await client.rest('PUT', `/workflows/${workflow.id}`, { body: { status: 'active' } });
    await client.rest('POST', '/triggers', { body: { workflow_id: workflow.id, type: 'manual' } });
    const run = (body: string) =>
      client.send('POST', `/v1/workflows/${workflow.id}/runs`, { body, headers: headers('numbers') });
    expect((await run('\uFEFF{"input":{"id":12345678901234567891}}')).status).toBe(201);
    expect((await run('{"input":{"id":12345678901234567892}}')).status).toBe(422);
    const again = await run('{"input":{"id":1.2345678901234567891e19}}');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    // Before the key is looked up.
    const huge = await run('{"input":{"ids":[1,1e400]}}');
    expect(huge).toMatchObject({ status: 400, body: { details: [{ field: 'input.ids.1' }] } });
  });

  it('no body is the same as an empty object', async () => {
    const open = (body?: object) => client.rest('POST', '/connect_sessions', { body, headers: headers('no-body') });
    const first = await open();
    expect(first.status).toBe(201);
    for (const again of [await open({}), await open()]) {
      expect([again.status, again.body]).toEqual([201, first.body]);
    }
    expect((await open({ label: 'x' })).status).toBe(422);
  });

  it('an error is not kept', async () => {
    const call = { body: { name: '' }, headers: headers('refused') };
    expect((await client.rest('POST', '/workflows', call)).status).toBe(400);
    expect((await client.rest('POST', '/workflows', { ...call, body: { name: 'good' } })).status).toBe(201);
  });

  it('an OAuth flow is started once, and its redirect returned again', async () => {
    const call = { body: { type: 'sandbox_oauth' }, headers: headers('flow') };
    const first = await client.rest('POST', '/integrations/connect', call);
    const again = await client.rest('POST', '/integrations/connect', call);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('an API key is connected once, and verified outside any transaction', async () => {
    const call = {
      body: { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } },
      headers: headers('by-key'),
    };
    const first = await client.rest('POST', '/integrations/connect', call);
    expect(first.status).toBe(201);
    expect((await client.rest('POST', '/integrations/connect', call)).body).toEqual(first.body);
    const id = first.body.id as string;
    const repeated = { body: { credentials: { api_key: 'sandbox_valid_key' } }, headers: headers('again') };
    expect((await client.rest('POST', `/integrations/${id}/reconnect`, repeated)).status).toBe(200);
    expect((await client.rest('POST', `/integrations/${id}/reconnect`, repeated)).body.version).toBe(2);
    expect((await client.rest('POST', `/integrations/${id}/test`, { headers: headers('test') })).body.ok).toBe(true);
    const ended = await client.rest('POST', `/integrations/${id}/disconnect`, { headers: headers('end') });
    expect(ended.body).toMatchObject({ status: 'disconnected', version: 3 });
  });

  it('a trigger is attached once, and returns the same URL again', async () => {
    const workflow = await client.rest('POST', '/workflows', { body: { name: 'x' } });
    const call = { body: { workflow_id: workflow.body.id, type: 'webhook' }, headers: headers('hook') };
    const first = await client.rest('POST', '/triggers', call);
    expect((await client.rest('POST', '/triggers', call)).body).toEqual(first.body);
    expect((await client.rest('GET', `/triggers?workflow_id=${workflow.body.id}`)).body.meta.total).toBe(1);
  });

  it('key and scope are checked first', async () => {
    const call = { body: { name: 'scoped' }, headers: headers('scoped') };
    await client.rest('POST', '/workflows', call);
    const reader = new Client(server.baseUrl, await server.key('read-only'));
    expect((await reader.rest('POST', '/workflows', call)).status).toBe(403);
    const stranger = new Client(server.baseUrl, await server.key('read-write', 'another'));
    expect((await stranger.rest('POST', '/workflows', call)).headers.get('idempotent-replayed')).toBeNull();
  });

  it.each(['', 'a b', 'x'.repeat(256)])('the key %j is refused', async (key) => {
    const { status, body } = await client.rest('POST', '/workflows', { body: { name: 'x' }, headers: headers(key) });
    expect([status, body.details[0].field]).toEqual([400, 'Idempotency-Key']);
  });
});
