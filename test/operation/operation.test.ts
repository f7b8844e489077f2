import { readFile } from 'node:fs/promises';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

describe('operation', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { METRICS_TOKEN: 'metrics-token-of-a-test' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  it('answers /livez and /readyz without a key', async () => {
    const anonymous = new Client(server.baseUrl);
    expect((await anonymous.send('GET', '/livez')).body).toEqual({ status: 'ok' });
    expect((await anonymous.send('GET', '/readyz')).body).toEqual({ status: 'ready' });
  });

  it('counts requests by door, operation and status in /metrics, for holders of the token', async () => {
    await client.rest('GET', '/workflows');
    await client.rest('GET', '/workflows/wf_nope');
    expect((await client.send('GET', '/metrics')).status).toBe(401);
    const { status, body } = await client.send<string>('GET', '/metrics', {
      headers: { authorization: 'Bearer metrics-token-of-a-test' },
    });
    expect(status).toBe(200);
    expect(body).toMatch(
      /http_request_duration_seconds_count\{door="rest",operation="ListWorkflows",status="200"\} [1-9]/,
    );
    expect(body).toMatch(
      /http_request_duration_seconds_count\{door="rest",operation="GetWorkflow",status="404"\} [1-9]/,
    );
  });

  it('has no own metric that docs/architecture.md does not name', async () => {
    const { body } = await client.send<string>('GET', '/metrics', {
      headers: { authorization: 'Bearer metrics-token-of-a-test' },
    });
    const names = [...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!);
    const ours = names.filter((name) => !/^(nodejs|process)_/.test(name));
    const document = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
    const [, section = ''] = document.split('## Metrics');
    const named = [...section.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name!);
    expect(ours).toContain('event_executions');
    expect(named.toSorted()).toEqual(ours.toSorted());
  });

  it('logs one line per request, with its id, operation and status, and nothing else of it', async () => {
    await client.rest('POST', '/workflows?secret=in-the-query', {
      body: { name: 'a-name-that-must-not-be-logged' },
      headers: { 'x-request-id': 'trace-42' },
    });
    const ofIt = () => server.logs.filter((line) => line.includes('trace-42'));
    await until(() => ofIt().length > 0);
    const lines = ofIt().map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        request_id: 'trace-42',
        door: 'rest',
        method: 'POST',
        operation: 'CreateWorkflow',
        status: 201,
        ms: expect.any(Number),
        msg: 'request',
      },
    ]);
    expect(server.logs.join('')).not.toMatch(/in-the-query|must-not-be-logged/);
  });

  it('keeps the tokens of hooks, tickets and callbacks out of the log', async () => {
    const token = 'T'.repeat(43);
    for (const path of [
      `/hooks/${token}`,
      `/connect/${token}`,
      `/oauth/callback/x?state=${token}`,
      `/events/${token}`,
    ]) {
      await client.send('GET', path);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.logs.join('')).not.toContain(token);
  });
});

describe('/metrics without a token', () => {
  it.each([
    ['development', 200],
    ['production', 404],
  ])('in %s answers %i', async (environment, status) => {
    const server = await startTestServer({ env: { NODE_ENV: environment } });
    try {
      expect((await new Client(server.baseUrl).send('GET', '/metrics')).status).toBe(status);
    } finally {
      await server.close();
    }
  });
});

describe('the sandbox', () => {
  it('is off in production', async () => {
    const server = await startTestServer({ env: { NODE_ENV: 'production' } });
    try {
      const client = new Client(server.baseUrl, await server.key());
      const { body } = await client.rest<{ data: { type: string }[] }>('GET', '/integration_types');
      expect(body.data.map(({ type }) => type).filter((type) => type.startsWith('sandbox'))).toEqual([]);
      expect((await client.send('GET', '/sandbox/me')).status).toBe(404);
    } finally {
      await server.close();
    }
  });
});
