import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const EVIL = 'evil.example';
const FORWARDED: Record<string, string> = {
  'x-forwarded-host': EVIL,
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '666',
  'x-forwarded-prefix': `//${EVIL}`,
  'x-forwarded-for': Array.from({ length: 1_000 }, (_, hop) => `10.0.${hop >> 8}.${hop & 255}`).join(', '),
  'x-real-ip': '127.0.0.1',
  'x-original-url': '/livez',
  'x-rewrite-url': '/livez',
  'x-http-method-override': 'DELETE',
  forwarded: `for="[::1]";host=${EVIL};proto=https`,
};

describe.each(['0', '1'])('with TRUST_PROXY=%s, headers that proxies set', (hops) => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { TRUST_PROXY: hops } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  const ask = (method: string, path: string, body?: unknown) =>
    client.send(method, path, { headers: FORWARDED, ...(body === undefined ? {} : { body }) });

  it('do not change the URLs in responses, whichever client sends them', async () => {
    const { body: workflow } = await ask('POST', '/v1/workflows', { name: 'x' });
    const trigger = await ask('POST', '/v1/triggers', { workflow_id: workflow.id, type: 'webhook' });
    const connect = await ask('POST', '/v1/integrations/connect', { type: 'sandbox_oauth' });
    expect([trigger.status, connect.status]).toEqual([201, 200]);
    expect(trigger.body.webhook_url).toMatch(new RegExp(`^${server.baseUrl}/hooks/`));
    const redirect = new URL(connect.body.redirect_url as string);
    expect(redirect.searchParams.get('redirect_uri')).toBe(`${server.baseUrl}/oauth/callback/sandbox_oauth`);
    for (const answer of [workflow, trigger, connect]) expect(JSON.stringify(answer)).not.toContain(EVIL);
  });

  it.each(['/', '/docs', '/graphiql', '/openapi.json', '/schema.graphql', '/connect/none', '/nothing'])(
    'change nothing of %s',
    async (path) => {
      const [plain, forwarded] = [await client.send('GET', path), await ask('GET', path)];
      expect(forwarded.status).toBe(plain.status);
      expect(JSON.stringify([...forwarded.headers, forwarded.body])).not.toContain(EVIL);
    },
  );

  it('neither change the path or the method of a request', async () => {
    const { status, body } = await ask('GET', '/v1/workflows');
    expect([status, Array.isArray(body.data)]).toEqual([200, true]);
  });
});
