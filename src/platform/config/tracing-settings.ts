import { type Reader } from './reader.js';

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** The only protocol that this service brings an exporter for. */
const PROTOCOL = 'http/protobuf';

/** How traces are made. The exporter reads `OTEL_EXPORTER_OTLP_…` itself. */
export interface TracingSettings {
  /** Posts of other services (hooks, events, call-backs) continue their traces. */
  readonly trustsInbound: boolean;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The share of sampled traces, 0 to 1, for the samplers by ratio. */
  readonly ratio: number;
  /** The queue of finished spans; those beyond `maxQueueSize` are dropped. */
  readonly batch: Readonly<
    Record<'maxQueueSize' | 'maxExportBatchSize' | 'scheduledDelayMillis' | 'exportTimeoutMillis', number>
  >;
}

/**
 * Undefined while neither OTEL_EXPORTER_OTLP_ENDPOINT nor OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is there, or traces are switched off: then
 * nothing of tracing is loaded.
 */
export function tracingSettings(read: Reader): TracingSettings | undefined {
  const address = 'an http:// or https:// address';
  const endpoints = [
    read.optional('OTEL_EXPORTER_OTLP_ENDPOINT', isHttp, address),
    read.optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', isHttp, address),
  ];
  const isNone = read.oneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none']) === 'none';
  const isDisabled = read.oneOf('OTEL_SDK_DISABLED', ['false', 'true']) === 'true';
  // What other signals of the machine use is no fault of the traces.
  const isOwn = read.isSet('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL');
  read.oneOf(isOwn ? 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL' : 'OTEL_EXPORTER_OTLP_PROTOCOL', [PROTOCOL]);
  const ratio = Number(read.optional('OTEL_TRACES_SAMPLER_ARG', isRatio, 'a number from 0 to 1') ?? 1);
  const size = read.integer('OTEL_BSP_MAX_QUEUE_SIZE', 1, 100_000);
  const settings: TracingSettings = {
    trustsInbound: read.oneOf('OTEL_TRUST_INBOUND', ['false', 'true']) === 'true',
    sampler: read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS) as TracingSettings['sampler'],
    ratio,
    batch: {
      maxQueueSize: size,
      maxExportBatchSize: Math.min(size, read.integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1, 100_000)),
      scheduledDelayMillis: read.integer('OTEL_BSP_SCHEDULE_DELAY', 1, 600_000),
      exportTimeoutMillis: read.integer('OTEL_BSP_EXPORT_TIMEOUT', 1, 600_000),
    },
  };
  const isOff = isNone || isDisabled || endpoints.every((endpoint) => endpoint === undefined);
  return isOff ? undefined : settings;
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text);
}

function isRatio(text: string): boolean {
  return /^(?:0|1|0?\.\d+|0\.\d*|1\.0*)$/.test(text);
}
