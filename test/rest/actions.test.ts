import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;
let id: string;

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
  id = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body.id;
});
afterAll(() => server.close());

const put = (actions: unknown) => client.rest('PUT', `/workflows/${id}/actions`, { body: { actions } });
const delay = (name: string) => ({ name, kind: 'delay', config: { seconds: 1 } });

describe('the actions of a workflow', () => {
  it('are none at first', async () => {
    expect(await client.rest('GET', `/workflows/${id}/actions`)).toMatchObject({ status: 200, body: { actions: [] } });
  });

  it('are given back as they were put, in their order and spelling', async () => {
    const actions = [
      delay('wait'),
      {
        name: 'ask',
        kind: 'http_request',
        config: { method: 'GET', url: 'https://a.example/', zeta: { b: 1, a: [null, 1.5] } },
      },
    ];
    const answer = await put(actions);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, JSON.stringify({ actions })]);
    expect((await client.rest('GET', `/workflows/${id}/actions`)).body).toEqual({ actions });
    expect(await put([])).toMatchObject({ status: 200, body: { actions: [] } });
  });

  it('are set only over those that `If-Match` names, where it does', async () => {
    const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')!;
    const putOver = (tag: string, actions: unknown) =>
      client.rest('PUT', `/workflows/${id}/actions`, { body: { actions }, headers: { 'if-match': tag } });
    await put([]);
    const none = tagOf(await client.rest('GET', `/workflows/${id}/actions`));
    const first = await putOver(none, [delay('a')]);
    expect(first).toMatchObject({ status: 200, body: { actions: [delay('a')] } });
    expect(tagOf(await client.rest('GET', `/workflows/${id}/actions`))).toBe(tagOf(first));
    for (const tag of [none, `W/${tagOf(first)}`, '"of-nothing"']) {
      expect(await putOver(tag, [delay('b')])).toMatchObject({
        status: 412,
        body: { code: 'precondition_failed', message: 'It was changed since that version was read. Read it again.' },
      });
    }
    for (const tag of ['none', `${none}, ${tagOf(first)}`, '']) {
      const details = [{ field: 'If-Match', message: 'must be one entity tag in quotes, or *' }];
      expect(await putOver(tag, [delay('b')])).toMatchObject({ status: 400, body: { details } });
    }
    expect((await client.rest('GET', `/workflows/${id}/actions`)).body).toEqual({ actions: [delay('a')] });
    expect(await putOver(tagOf(first), [delay('b')])).toMatchObject({ status: 200 });
    expect(await putOver('*', [delay('c')])).toMatchObject({ status: 200 });
  });

  it('are no part of the workflow object, and move its updated_at on', async () => {
    const before = (await client.rest('GET', `/workflows/${id}`)).body;
    await put([delay('a')]);
    await put([delay('a')]);
    const after = (await client.rest('GET', `/workflows/${id}`)).body;
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at) + 2);
  });

  it.each([
    [undefined, 'actions'],
    [null, 'actions'],
    [{}, 'actions'],
    ['delay', 'actions'],
    [[null], 'actions.0'],
    [['delay'], 'actions.0'],
    [[{ kind: 'delay', config: {} }], 'actions.0.name'],
    [[{ name: 'a', config: {} }], 'actions.0.kind'],
    [[{ name: 'a', kind: 'DELAY', config: {} }], 'actions.0.kind'],
    [[{ name: 'a', kind: 'delay' }], 'actions.0.config'],
    [[{ name: 'a', kind: 'delay', config: [] }], 'actions.0.config'],
    [[delay('a'), delay('a')], 'actions.1.name'],
    [[delay('a'), { name: 'b', kind: 'delay', config: { seconds: -1 } }], 'actions.1.config.seconds'],
  ])('are refused when they are %j, and the old ones stay', async (actions, field) => {
    const before = (await client.rest('GET', `/workflows/${id}/actions`)).body;
    const { status, body } = await put(actions);
    expect([status, body.code]).toEqual([400, 'validation_error']);
    expect(body.details.map((detail: { field: string }) => detail.field)).toContain(field);
    expect((await client.rest('GET', `/workflows/${id}/actions`)).body).toEqual(before);
  });

  it('are 50 at most', async () => {
    expect((await put(Array.from({ length: 50 }, (_, i) => delay(`a${i}`)))).status).toBe(200);
    expect(await put(Array.from({ length: 51 }, (_, i) => delay(`a${i}`)))).toMatchObject({
      status: 400,
      body: { code: 'validation_error' },
    });
  });
});
