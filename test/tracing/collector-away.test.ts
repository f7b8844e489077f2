import { type Logger } from '../../src/platform/logging/logger.js';
import { type TracingSettings } from '../../src/platform/config/tracing-settings.js';
import { inSpan, traced, type Tracing } from '../../src/platform/tracing/span.js';
import { startTracing } from '../../src/process/tracing/otel.js';
import { Client } from '../support/http/client.js';
import { startTestServer } from '../support/server.js';
import { Collector } from '../support/tracing/collector.js';
import { until } from '../support/until.js';

// The timeout of an export is long: a busy machine takes its time.
const BATCH = { maxQueueSize: 50, maxExportBatchSize: 10, scheduledDelayMillis: 20, exportTimeoutMillis: 60_000 };

describe('a collector', () => {
  let collector: Collector;
  let lines: string[];
  const logger = {
    warn: (line: string) => void lines.push(line),
    info: (line: string) => void lines.push(line),
  } as unknown as Logger;

  beforeEach(async () => {
    lines = [];
    collector = await Collector.start();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  });
  afterEach(async () => {
    await collector.close();
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  });

  const open = (settings: Partial<TracingSettings> = {}): Tracing =>
    startTracing({ trustsInbound: false, sampler: 'always_on', ratio: 1, batch: BATCH, ...settings }, '0.0.0', logger);

  it('that is silent holds nobody up, gets a bounded number of spans later, and does not hold up a stop', async () => {
    collector.isSilent = true;
    const tracing = open({ batch: { ...BATCH, exportTimeoutMillis: 200 } });
    for (let made = 0; made < 10_000; made += 1) tracing.begin('lost', 'internal', {}).end();
    await until(() => lines.length > 0);
    expect(lines).toEqual(['traces: the collector takes no spans; they are dropped']);
    collector.isSilent = false;
    await until(() => {
      tracing.begin('kept', 'internal', {}).end();
      return lines.length > 1;
    });
    expect(lines[1]).toBe('traces: the collector takes spans again');
    expect(collector.spans.filter(({ name }) => name === 'lost').length).toBeLessThanOrEqual(BATCH.maxQueueSize);
    collector.isSilent = true;
    for (let made = 0; made < 1_000; made += 1) tracing.begin('lost', 'internal', {}).end();
    await tracing.close();
  });

  it('gets what waits when the process stops', async () => {
    const tracing = open({ batch: { ...BATCH, scheduledDelayMillis: 600_000 } });
    tracing.begin('last', 'internal', {}).end();
    await tracing.close();
    expect(collector.spans.map(({ name }) => name)).toEqual(['last']);
  });

  it('gets traces at an address of their own', async () => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:1';
    process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${collector.url}/v1/traces`;
    const tracing = open();
    tracing.begin('own', 'internal', {}).end();
    await tracing.close();
    delete process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
    expect(collector.spans.map(({ name }) => name)).toEqual(['own']);
  });

  it('gets at most 1,000 spans of one trace from a process, and none after the first one has ended', async () => {
    const batch = { ...BATCH, maxQueueSize: 5_000, maxExportBatchSize: 500 };
    const tracing = open({ batch });
    const first = tracing.begin('run', 'internal', {});
    const works = await inSpan(first, async () => {
      let count = 0;
      for (let made = 0; made < 2_000; made += 1) await traced('step', 'internal', {}, () => (count += 1));
      return count;
    });
    first.end();
    expect([works, first.child('late', 'internal')]).toEqual([2_000, undefined]);
    await tracing.close();
    expect(collector.trace(first.traceId)).toHaveLength(1_000);
  });

  it.each([
    ['always_off', 1, 0],
    ['traceidratio', 0, 0],
    ['parentbased_traceidratio', 1, 100],
  ] as const)('gets the share that the sampler says: %s, %d', async (sampler, ratio, expected) => {
    const tracing = open({ sampler, ratio, batch: { ...BATCH, maxQueueSize: 500 } });
    for (let made = 0; made < 100; made += 1) tracing.begin('one', 'internal', {}).end();
    await tracing.close();
    expect(collector.spans).toHaveLength(expected);
  });

  it('that is away holds no request up', async () => {
    await collector.close();
    const server = await startTestServer({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_ENDPOINT! },
    });
    const client = new Client(server.url, await server.key());
    expect((await client.rest('GET', '/workflows')).status).toBe(200);
    await server.close();
    collector = await Collector.start();
  });

  it('is trusted posts where the operator says so', async () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_TRUST_INBOUND: 'true',
    };
    const server = await startTestServer({ env });
    const traceId = 'ab'.repeat(16);
    const headers = { traceparent: `00-${traceId}-${'cd'.repeat(8)}-01` };
    await new Client(server.url).send('POST', '/hooks/unknown', { body: {}, headers });
    await until(() => collector.trace(traceId).length > 0);
    expect(collector.trace(traceId)[0]).toMatchObject({ parentId: 'cd'.repeat(8), links: [] });
    await server.close();
  });
});
