import { Client } from '../support/http/client.js';
import { StillClock } from '../support/clock.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('the default rates', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { RATE_LIMITS: 'on' }, clock: new StillClock() });
  });
  beforeEach(async () => {
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  /** The number of responses by status, for this many concurrent requests. */
  async function tally(count: number, call: () => Promise<{ status: number }>): Promise<Record<number, number>> {
    const answers = await Promise.all(Array.from({ length: count }, call));
    return Object.fromEntries(
      [...Map.groupBy(answers, ({ status }) => status)].map(([status, same]) => [status, same.length]),
    );
  }

  it('let a burst of 200 reads pass, and refuse one more', async () => {
    expect(await tally(201, () => client.rest('GET', '/workflows?per_page=1'))).toEqual({ 200: 200, 429: 1 });
  });

  it('let a burst of 200 writes pass, and refuse one more', async () => {
    expect(await tally(201, () => client.rest('POST', '/workflows', { body: {} }))).toEqual({ 400: 200, 429: 1 });
  });

  it('let a burst of 200 posts to a hook pass, and refuse one more', async () => {
    const workflow_id = (await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } })).body.id;
    const hook = (await client.rest('POST', '/triggers', { body: { workflow_id, type: 'webhook' } })).body;
    const post = () => fetch(hook.webhook_url as string, { method: 'POST', body: '1' });
    expect(await tally(201, post)).toEqual({ 202: 200, 429: 1 });
  });

  it('let a burst of 200 posts of its own runs pass to all hooks of an account, and refuse one more', async () => {
    const hookOf = async (by: Client) => {
      const workflow_id = (await by.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } })).body.id;
      return (await by.rest('POST', '/triggers', { body: { workflow_id, type: 'webhook' } })).body
        .webhook_url as string;
    };
    const hooks = [await hookOf(client), await hookOf(client)];
    const foreign = await hookOf(new Client(server.baseUrl, await server.key('read-write', 'another')));
    const post = (url: string, hops: string) =>
      fetch(url, { method: 'POST', body: '1', headers: { 'workflow-hops': hops } });
    let sent = 0;
    expect(await tally(201, () => post(hooks[(sent += 1) % 2]!, '1'))).toEqual({ 202: 200, 429: 1 });
    expect((await post(hooks[0]!, '2')).status).toBe(429);
    expect((await post(hooks[0]!, '0')).status).toBe(202);
    expect((await post(foreign, '1')).status).toBe(202);
    await server.advance(1_000);
    expect(await tally(101, () => post(hooks[1]!, '4'))).toEqual({ 202: 100, 429: 1 });
  });

  it('count each 16,384 bytes of a body as one more', async () => {
    const left = async () =>
      Number(/r=(\d+)/.exec((await client.rest('POST', '/workflows', { body: {} })).headers.get('ratelimit')!)![1]);
    const body = (bytes: number) => ({
      name: '',
      description: 'x'.repeat(bytes - '{"name":"","description":""}'.length),
    });
    expect(await left()).toBe(199);
    await client.rest('POST', '/workflows', { body: body(16_383) });
    expect(await left()).toBe(197);
    await client.rest('POST', '/workflows', { body: body(16_384) });
    expect(await left()).toBe(194);
    await client.rest('POST', '/workflows', { body: body(102_400) });
    expect(await left()).toBe(186);
    await client.graphql(`{ viewer { account { name } } } # ${'x'.repeat(50_000)}`);
    const { headers } = await client.rest('GET', '/workflows');
    expect(headers.get('ratelimit')).toMatch(/r=195;/);
  });

  it('are 100 a second once the burst is used up', async () => {
    const read = () => client.rest('GET', '/workflows?per_page=1');
    expect((await read()).headers.get('ratelimit-policy')).toBe('"read";q=200;w=2');
    await tally(199, read);
    await server.advance(1_000);
    expect(await tally(101, read)).toEqual({ 200: 100, 429: 1 });
    await server.advance(10);
    expect(await tally(2, read)).toEqual({ 200: 1, 429: 1 });
  });
});
