import { Client } from '../../support/http/client.js';
import { signedIn } from '../../support/worlds/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

/** The status of a request, and the names in the header of its response. */
async function ignored(method: string, path: string, body?: unknown, as = client): Promise<[number, string | null]> {
  const { status, headers } = await as.rest(method, path, { body });
  return [status, headers.get('ignored-fields')];
}
const made = async () => (await client.rest('POST', '/workflows', { body: { name: 'w' } })).body.id as string;

describe('Ignored-Fields', () => {
  it('is absent where every name is known', async () => {
    expect(await ignored('GET', '/workflows?page=1&per_page=2&status=draft')).toEqual([200, null]);
    expect(await ignored('POST', '/workflows', { name: 'w', description: null })).toEqual([201, null]);
    const config = { cron: '0 9 * * *', timezone: 'Europe/Zurich', catch_up: 'last' };
    const trigger = { workflow_id: await made(), type: 'schedule', config };
    expect(await ignored('POST', '/triggers', trigger)).toEqual([201, null]);
  });

  it('names unknown query parameters on every method', async () => {
    const id = await made();
    expect(await ignored('GET', '/workflows?colour=x&page=1&sort=name')).toEqual([200, 'colour, sort']);
    expect(await ignored('HEAD', '/workflows?sort=name')).toEqual([200, 'sort']);
    expect(await ignored('GET', `/workflows/${id}?id=1`)).toEqual([200, 'id']);
    expect(await ignored('PUT', `/workflows/${id}?name=x`, {})).toEqual([200, 'name']);
    expect(await ignored('DELETE', `/workflows/${id}?force=true`)).toEqual([204, 'force']);
  });

  it('names unknown fields of a body, those inside it by a dotted path', async () => {
    const id = await made();
    expect(await ignored('PUT', `/workflows/${id}?q`, { id: 'x', title: 'x', owner: 'x' })).toEqual([
      200,
      'q, id, title, owner',
    ]);
    const action = { name: 'a', kind: 'delay', config: { seconds: 1 } };
    const actions = [
      { ...action, retries: 3 },
      { ...action, name: 'b', note: { deep: 1 } },
    ];
    expect(await ignored('PUT', `/workflows/${id}/actions`, { actions })).toEqual([
      200,
      'actions.0.retries, actions.1.note',
    ]);
  });

  it('names unknown keys of the config of a trigger, which is stored as it was sent', async () => {
    const workflow_id = await made();
    const config = { cron: '0 9 * * *', zone: 'Europe/Zurich', secret: 'of webhooks' };
    expect(await ignored('POST', '/triggers', { workflow_id, type: 'schedule', config })).toEqual([
      201,
      'config.zone, config.secret',
    ]);
    const { body: trigger } = await client.rest('POST', '/triggers', { body: { workflow_id, type: 'webhook' } });
    const path = `/triggers/${trigger.id as string}`;
    expect(await ignored('PUT', path, { config: { secret: 's', cron: '* * * * *', toString: 1 } })).toEqual([
      200,
      'config.cron, config.toString',
    ]);
    // The type of a trigger never changes: a `type` here is ignored, and the config judged by the real one.
    expect(await ignored('PUT', path, { type: 'schedule', config: { cron: 'x' } })).toEqual([200, 'type, config.cron']);
    expect((await client.rest('GET', path)).body.config).toEqual({ cron: 'x', secret: 's' });
    expect(await ignored('PUT', path, { status: 'paused' })).toEqual([200, null]);
    expect(await ignored('POST', '/triggers', { workflow_id, type: 'manual', config: null })).toEqual([201, null]);
  });

  it('names unknown keys of the configs of actions by index, and not what the kind passes on', async () => {
    const path = `/workflows/${await made()}/actions`;
    const config = {
      url: 'https://a.example',
      method: 'POST',
      metod: 'GET',
      body: { metod: 1 },
      headers: { Metod: '1' },
    };
    const actions = [
      { name: 'a', kind: 'delay', config: { seconds: 1 } },
      { name: 'b', kind: 'http_request', config },
      { name: 'c', kind: 'delay', config: { seconds: 1, minutes: 1 }, retries: 1 },
    ];
    expect(await ignored('PUT', path, { actions })).toEqual([
      200,
      'actions.1.config.metod, actions.2.retries, actions.2.config.minutes',
    ]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 1]));
    const [status, header] = await ignored('PUT', path, {
      actions: [{ ...actions[0], config: { seconds: 1, ...many } }],
    });
    expect([status, header!.split(', ').length, header!.startsWith('actions.0.config.k0, ')]).toEqual([200, 20, true]);
    expect(await ignored('PUT', path, { actions: [{ ...actions[0], config: { secnds: 1 } }] })).toEqual([
      400,
      'actions.0.config.secnds',
    ]);
  });

  it('stands on refusals too', async () => {
    const id = await made();
    const reader = new Client(server.baseUrl, await server.key('read-only'));
    expect(await ignored('POST', '/workflows', { name: '', x: 1 })).toEqual([400, 'x']);
    expect(await ignored('GET', '/workflows?per_page=0&x')).toEqual([400, 'x']);
    expect(await ignored('PUT', '/workflows/wf_none', { x: 1 })).toEqual([404, 'x']);
    expect(await ignored('POST', `/workflows/${id}/runs?x`, { y: 1 })).toEqual([409, 'x, y']);
    expect(await ignored('POST', '/workflows?x', '{')).toEqual([400, 'x']);
    expect(await ignored('POST', '/workflows?x', { y: 1 }, reader)).toEqual([403, 'x']);
    expect(await ignored('GET', '/workflows?x', undefined, new Client(server.baseUrl))).toEqual([401, null]);
  });

  it('percent-encodes what a header cannot hold, and is bounded', async () => {
    const names = {
      'naïve, name': 1,
      'a.b': 1,
      '100%': 1,
      '(\r\n)': 1,
      '': 1,
      '\ud800': 1,
      ['long '.repeat(1_000)]: 1,
    };
    const [status, header] = await ignored('POST', '/workflows', { name: 'w', ...names });
    const [long, ...others] = header!.split(', ').reverse();
    expect([status, others.reverse()]).toEqual([
      201,
      ['na%C3%AFve%2C%20name', 'a.b', '100%25', '%28%0D%0A%29', '""', '%EF%BF%BD'],
    ]);
    expect([long!.startsWith('long%20long%20'), long!.length <= 100]).toEqual([true, true]);
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
    const [, first] = await ignored('POST', '/workflows', { ...many, name: 'w' });
    expect(first!.split(', ')).toEqual(Array.from({ length: 20 }, (_, index) => `f${index}`));
  });

  it('names an Idempotency-Key where none is taken', async () => {
    const headers = { 'idempotency-key': 'once' };
    const header = async (method: string, path: string, body: object, as = client) =>
      (await as.rest(method, path, { body, headers })).headers.get('ignored-fields');
    const id = await made();
    expect(await header('PUT', `/workflows/${id}`, {})).toBe('Idempotency-Key');
    expect(await header('DELETE', `/workflows/${id}`, {})).toBe('Idempotency-Key');
    expect(await header('POST', '/workflows', { name: 'w' })).toBeNull();
    const { client: person } = await signedIn(server);
    expect(await header('POST', '/api_keys', { label: 'l', scope: 'read-only' }, person)).toBe('Idempotency-Key');
  });

  it('stands on a replayed answer as on the first', async () => {
    const repeat = async () => {
      const { headers } = await client.rest('POST', '/workflows?q=1', {
        body: { name: 'w', nmae: 'x' },
        headers: { 'idempotency-key': 'ignored-fields' },
      });
      return [headers.get('idempotent-replayed'), headers.get('ignored-fields')];
    };
    expect([await repeat(), await repeat()]).toEqual([
      [null, 'q, nmae'],
      ['true', 'q, nmae'],
    ]);
  });
});
