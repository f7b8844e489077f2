import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { noteSecret, secretsIn } from '../support/database/secrets.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { type CollectedSpan, Collector } from '../support/tracing/collector.js';
import { until } from '../support/until.js';
import { type Received, RunWorld } from '../support/worlds/run-world.js';

const [SERVER, CLIENT] = [2, 3];
const newTrace = () => ({ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') });
const header = ({ traceId, spanId }: { traceId: string; spanId: string }) => `00-${traceId}-${spanId}-01`;
const traceOf = ({ headers }: Received) => String(headers.traceparent).split('-')[1];

describe('traces', () => {
  let collector: Collector;
  let database: TestDatabase;
  let world: RunWorld;
  let worker: TestServer;
  const secrets = { path: noteSecret('path-of-a-secret-address'), query: noteSecret('secret-in-a-query') };

  beforeAll(async () => {
    collector = await Collector.start();
    // The exporter of the SDK reads its variables itself.
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    process.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-collector-key=of-the-operator';
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
    database = await createTestDatabase();
    world = await RunWorld.open({ database, env: { ...env, ROLES: 'api' } });
    worker = await startTestServer({ database, env: { ...env, ROLES: 'worker', ALLOW_PRIVATE_NETWORK: 'true' } });
  });
  afterAll(async () => {
    await worker.close();
    await world.close();
    await database.drop();
    await collector.close();
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
    // After the last spans: those of the end, too.
    expect(secretsIn(collector.text)).toEqual([]);
  });

  /** The spans of a trace, once all of these names are there. */
  async function spansOf(traceId: string, ...names: string[]): Promise<CollectedSpan[]> {
    const has = (name: string) => collector.trace(traceId).some((span) => span.name === name);
    await until(() => names.every(has));
    return collector.trace(traceId);
  }
  /** Runs a workflow in a sampled trace. Its spans come after all that ended before. */
  async function spansOfNext(workflowId: string, ...names: string[]): Promise<CollectedSpan[]> {
    const client = newTrace();
    await start(workflowId, { traceparent: header(client) });
    return spansOf(client.traceId, 'POST /v1/workflows/{id}/runs', 'run', ...names);
  }
  const named = (spans: CollectedSpan[], name: string) => spans.find((span) => span.name === name)!;
  const above = (spans: CollectedSpan[], span: CollectedSpan) => spans.find(({ spanId }) => spanId === span.parentId)!;
  const manual = async (actions: object[]) => {
    const { id } = await world.workflow(actions);
    await world.client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'manual' } });
    return id;
  };
  const start = async (id: string, headers: Record<string, string> = {}) =>
    (
      await world.client.send('POST', `/v1/workflows/${id}/runs`, {
        body: { input: { mail: 'a@people.example' } },
        headers,
      })
    ).body as { id: string };

  it('lead from the request to the run, its steps, applications and webhooks', async () => {
    await world.client.rest('POST', '/webhooks', {
      body: { url: `${world.targetUrl}/told`, events: ['run.succeeded'] },
    });
    const url = `${world.targetUrl}/call/${secrets.path}?token=${secrets.query}`;
    const id = await manual([
      world.call('call', { url, headers: { 'x-key': noteSecret('a-key-of-an-application') }, body: { n: 1 } }),
    ]);
    const client = newTrace();
    const run = await start(id, { traceparent: header(client), baggage: 'user=somebody' });
    await world.ended(run.id);
    await until(() => world.received.some((each) => each.url === '/told'));
    const spans = await spansOf(client.traceId, 'POST /v1/workflows/{id}/runs', 'webhook delivery', 'run');

    const request = named(spans, 'POST /v1/workflows/{id}/runs');
    expect(request).toMatchObject({ parentId: client.spanId, kind: SERVER, links: [] });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/workflows/{id}/runs',
      'http.response.status_code': 201,
      'url.scheme': 'http',
    });
    expect(request.resource).toMatchObject({ 'service.name': 'workflow-gateway' });
    const operation = named(spans, 'mutation');
    expect(above(spans, operation)).toBe(request);
    expect(operation.attributes).toMatchObject({ 'graphql.operation.type': 'mutation' });
    const statements = spans.filter((span) => span.attributes['db.system.name'] === 'postgresql');
    const inserts = statements.filter((span) => String(span.attributes['db.query.text']).includes('INSERT INTO runs'));
    expect(inserts).toHaveLength(1);
    expect(above(spans, inserts[0]!)).toBe(operation);
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['SELECT', 'COMMIT']));

    const executed = named(spans, 'run');
    expect(above(spans, executed)).toBe(operation);
    expect(executed.attributes).toMatchObject({ 'workflow_gateway.run.id': run.id });
    const step = named(spans, 'step http_request');
    expect(above(spans, step)).toBe(executed);
    const calls = spans.filter((span) => span.kind === CLIENT && span.attributes['server.address'] !== undefined);
    expect(calls.map((call) => above(spans, call).name).sort()).toEqual(['step http_request', 'webhook delivery']);
    const received = world.received.find((each) => each.url.startsWith('/call/'))!;
    expect(received.headers.traceparent).toBe(
      header({ traceId: client.traceId, spanId: calls.find((call) => call.parentId === step.spanId)!.spanId }),
    );
    expect(received.headers).not.toHaveProperty('baggage');
    expect(traceOf(world.received.find((each) => each.url === '/told')!)).toBe(client.traceId);
    expect(collector.headers.at(-1)).toMatchObject({ 'x-collector-key': 'of-the-operator' });

    const line = world.server.logs.find((each) => each.includes('"msg":"request"') && each.includes(client.traceId));
    expect(JSON.parse(line!)).toMatchObject({ trace_id: client.traceId, status: 201 });
  });

  it('say nothing of addresses, values and people', () => {
    expect(collector.text).not.toMatch(/a@people\.example|secret-address|in-a-query|somebody|127\.0\.0\.1:\d+\//);
    expect(collector.text).toContain('127.0.0.1');
  });

  it('begin anew with a link where a stranger posts', async () => {
    const { hook } = await world.workflow([world.call('hooked')]);
    const stranger = newTrace();
    await world.client.send('POST', hook, { body: {}, headers: { traceparent: header(stranger) } });
    const isHook = (span: CollectedSpan) => span.links.some(({ traceId }) => traceId === stranger.traceId);
    await until(() => collector.spans.some(isHook));
    const request = collector.spans.find(isHook)!;
    expect(request).toMatchObject({ name: 'POST /hooks/{token}', parentId: '', links: [stranger] });
    expect(request.traceId).not.toBe(stranger.traceId);
    const spans = await spansOf(request.traceId, 'run', 'step http_request');
    expect(named(spans, 'run').parentId).toBe(request.spanId);
  });

  it.each([
    'nonsense',
    `00-${'0'.repeat(32)}-1111111111111111-01`,
    `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
    `ff-${'a'.repeat(32)}-1111111111111111-01`,
    `00-${'A'.repeat(32)}-1111111111111111-01`,
    `00-${'a'.repeat(32)}-1111111111111111-01-more`,
  ])('begin anew without a link after a malformed header: %s', async (traceparent) => {
    const before = collector.spans.length;
    await world.client.send('GET', '/v1/workflows', { headers: { traceparent } });
    const isList = (span: CollectedSpan) => span.name === 'GET /v1/workflows';
    await until(() => collector.spans.slice(before).some(isList));
    expect(collector.spans.slice(before).find(isList)).toMatchObject({ parentId: '', links: [] });
  });

  it('keep what a client did not want to sample out of the collector, and hand that on', async () => {
    const { traceId, spanId } = newTrace();
    const id = await manual([world.call('unsampled')]);
    const run = await start(id, { traceparent: `00-${traceId}-${spanId}-00` });
    await world.ended(run.id);
    const received = world.received.find((each) => each.url === '/unsampled')!;
    expect(received.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    await spansOfNext(id);
    expect(collector.trace(traceId)).toEqual([]);
  });

  it('begin anew with a link when a run goes on after a wait', async () => {
    const id = await manual([
      { name: 'ok', kind: 'wait_for_approval', config: { title: 'Go on?' } },
      world.call('after'),
    ]);
    const client = newTrace();
    const run = await start(id, { traceparent: header(client) });
    await until(async () => (await world.run(run.id)).status === 'waiting');
    const { body } = await world.client.rest('GET', `/waits?run_id=${run.id}`);
    await world.client.rest('POST', `/waits/${body.data[0].id}/answer`, { body: { decision: 'approved' } });
    await world.ended(run.id);
    const goesOn = (span: CollectedSpan) =>
      span.name === 'run' && span.links.some(({ traceId }) => traceId === client.traceId);
    await until(() => collector.spans.some(goesOn));
    const second = collector.spans.find(goesOn)!;
    expect(second.traceId).not.toBe(client.traceId);
    expect(second.attributes['workflow_gateway.run.id']).toBe(run.id);
    expect(traceOf(world.received.find((each) => each.url === '/after')!)).toBe(second.traceId);
    // The first part ended within the claim.
    const spans = await spansOf(client.traceId, 'run', 'step wait_for_approval');
    expect(above(spans, named(spans, 'step wait_for_approval')).name).toBe('run');
  });

  it('lead to a mail', async () => {
    const id = await manual([
      {
        name: 'mail',
        kind: 'send_email',
        config: { to: ['reader@people.example'], subject: 'Hello', text: 'A text.' },
      },
    ]);
    await spansOfNext(id, 'mail', 'step send_email');
    await spansOfNext(id, 'mail', 'step send_email');
    expect(collector.text).not.toMatch(/reader@people|Hello|A text\./);
  });
});
