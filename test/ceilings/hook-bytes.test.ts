import { Client } from '../support/http/client.js';
import { StillClock } from '../support/clock.js';
import { startTestServer, type TestServer } from '../support/server.js';

const BODY = JSON.stringify('x'.repeat(498));

describe('the bytes posted to one hook', () => {
  let server: TestServer;
  let client: Client;
  let workflowId: string;

  beforeAll(async () => {
    const env = { RATE_LIMITS: 'on', RATE_LIMIT_HOOK_BYTES: '1000' };
    server = await startTestServer({ clock: new StillClock(), env });
    client = new Client(server.baseUrl, await server.key());
    workflowId = (await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } })).body.id;
  });
  afterAll(() => server.close());

  const hook = async (): Promise<string> => {
    const trigger = { workflow_id: workflowId, type: 'webhook' };
    return (await client.rest('POST', '/triggers', { body: trigger })).body.webhook_url as string;
  };
  const declared = (url: string, body = BODY) => fetch(url, { method: 'POST', body });
  /** Without a Content-Length. */
  const chunked = (url: string) => fetch(url, { method: 'POST', body: new Blob([BODY]).stream(), duplex: 'half' });

  /** The statuses of this many sequential posts. */
  async function statusesOf(count: number, post: () => Promise<Response>): Promise<number[]> {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 1) statuses.push((await post()).status);
    return statuses;
  }

  it.each([
    ['say their length', declared],
    ['come in chunks', chunked],
  ])('are limited per second in bursts of two, of posts that %s', async (_, post) => {
    const url = await hook();
    expect(await statusesOf(5, () => post(url))).toEqual([202, 202, 202, 202, 429]);
    await server.advance(1_000);
    expect(await statusesOf(3, () => post(url))).toEqual([202, 202, 429]);
    expect((await post(await hook())).status).toBe(202);
  });

  it('admit a post larger than the rest of the bucket, and delay the next one', async () => {
    const url = await hook();
    expect((await declared(url, JSON.stringify('x'.repeat(1_997)))).status).toBe(202);
    const { status, headers } = await declared(url, JSON.stringify('x'.repeat(3_998))).then(async () =>
      declared(url, '1'),
    );
    expect([status, headers.get('retry-after')]).toEqual([429, '2']);
  });
});
