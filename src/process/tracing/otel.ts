import {
  type Attributes as OtelAttributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type TracingSettings } from '../../platform/config/tracing-settings.js';
import { type Logger } from '../../platform/logging/logger.js';
import { type Attributes, type Span, type SpanKind, type Tracing } from '../../platform/tracing/span.js';
import { parseTraceparent, writeTraceparent } from '../../platform/tracing/traceparent.js';

/** The most spans of a request, a delivery, or a part of a run at one worker: many steps must not fill the collector. */
const MAX_SPANS = 1_000;
/** The longest time of a stop for what waits, in milliseconds. */
const CLOSE_MS = 3_000;

const KINDS: Record<SpanKind, OtelKind> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
};

/** What the spans of a trace in this process share. */
interface Whole {
  left: number;
  hasEnded: boolean;
}

/**
 * Tracing by the SDK of OpenTelemetry, without its global provider: no library adds spans of its own. The exporter reads the
 * standard variables `OTEL_EXPORTER_OTLP_…` itself.
 */
export function startTracing(settings: TracingSettings, version: string, logger: Logger): Tracing {
  const exporter = new ReportedExporter(new OTLPTraceExporter(), logger);
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'workflow-gateway', 'service.version': version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...settings.batch })],
  });
  const tracer = provider.getTracer('workflow-gateway', version);
  return {
    trustsInbound: settings.trustsInbound,
    begin(name, kind, { parent, link, attributes, at }) {
      const above = contextOf(parent);
      const linked = contextOf(link);
      const links: Link[] = linked === undefined ? [] : [{ context: linked }];
      const context = above === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
      const options = {
        kind: KINDS[kind],
        links,
        attributes: { ...attributes },
        ...(at !== undefined && { startTime: at }),
      };
      const whole = { left: MAX_SPANS - 1, hasEnded: false };
      return new TracedSpan(tracer, tracer.startSpan(name, options, context), whole, true);
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

class TracedSpan implements Span {
  readonly traceId: string;
  readonly traceparent: string;
  private readonly context: Context;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: OtelSpan,
    private readonly whole: Whole,
    private readonly isFirst = false,
  ) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceId = traceId;
    this.traceparent = writeTraceparent({ traceId, spanId, isSampled: (traceFlags & 1) === 1 });
    this.context = trace.setSpan(ROOT_CONTEXT, span);
  }

  get isRecording(): boolean {
    return this.span.isRecording();
  }

  child(name: string, kind: SpanKind, attributes: Attributes = {}, at?: number): Span | undefined {
    // What still runs after the first span of the process, e.g. a timer that a request has set, belongs to others, too.
    if (!this.isRecording || this.whole.hasEnded || this.whole.left === 0) return undefined;
    this.whole.left -= 1;
    const options = {
      kind: KINDS[kind],
      attributes: attributes as OtelAttributes,
      ...(at !== undefined && { startTime: at }),
    };
    return new TracedSpan(this.tracer, this.tracer.startSpan(name, options, this.context), this.whole);
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    if (this.isFirst) this.whole.hasEnded = true;
    this.span.end();
  }
}

function contextOf(header: string | undefined): SpanContext | undefined {
  const parsed = parseTraceparent(header);
  if (parsed === undefined) return undefined;
  const { traceId, spanId, isSampled } = parsed;
  return { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true };
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const root: Sampler = sampler.endsWith('always_off')
    ? new AlwaysOffSampler()
    : sampler.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Says once that the collector is away, and once that it is back. */
class ReportedExporter implements SpanExporter {
  private isAway = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: Logger,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans, (result) => {
      // The error may name the address, which may hold a password.
      const isTaken = (result.code as number) === 0;
      if (!isTaken && !this.isAway) this.logger.warn('traces: the collector takes no spans; they are dropped');
      if (isTaken && this.isAway) this.logger.info('traces: the collector takes spans again');
      this.isAway = !isTaken;
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }
}
