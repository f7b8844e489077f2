import { AsyncLocalStorage } from 'node:async_hooks';

/** Facts about a span. Never a secret, a body, or a datum of a person: see docs/operations/traces.md. */
export type Attributes = Record<string, string | number | boolean>;

/** The role of a span in a call, as OpenTelemetry names it. */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** One timed part of a trace. */
export interface Span {
  readonly traceId: string;
  /** The header that hands the trace on (W3C Trace Context). */
  readonly traceparent: string;
  /** Whether it is sampled and still open. Otherwise its attributes are dropped. */
  readonly isRecording: boolean;
  /** Begins a part of it; undefined if it is not sampled, has ended, or its trace is full. `at`: milliseconds since 1970. */
  child(name: string, kind: SpanKind, attributes?: Attributes, at?: number): Span | undefined;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Marks it as failed. `type` is a code, never a message, which may contain data. */
  fail(type: string): void;
  end(): void;
}

/** Begins traces. A process without the address of a collector has none. */
export interface Tracing {
  /** Whether posts of other services continue their traces, instead of beginning new ones with a link. */
  readonly trustsInbound: boolean;
  /** Begins a trace, or continues that of `parent`; both options are headers `traceparent`, and an invalid one is ignored. */
  begin(
    name: string,
    kind: SpanKind,
    options: { parent?: string; link?: string; attributes?: Attributes; at?: number },
  ): Span;
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>;
}

const spans = new AsyncLocalStorage<Span>();

/** The span that the current call chain belongs to. Without tracing there is none. */
export function currentSpan(): Span | undefined {
  return spans.getStore();
}

/** The header of the current span. */
export function currentTrace(): string | undefined {
  return spans.getStore()?.traceparent;
}

/** Runs work as a part of a span. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return span === undefined ? work() : spans.run(span, work);
}

/** Runs work as a new part of the current span, which ends with it. */
export async function traced<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: (span: Span | undefined) => Promise<T> | T,
): Promise<T> {
  const span = spans.getStore()?.child(name, kind, attributes);
  if (span === undefined) return work(undefined);
  try {
    return await spans.run(span, () => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The code or the class of an error. */
export function errorType(error: unknown): string {
  const { code, reason, name } = (error ?? {}) as { code?: unknown; reason?: unknown; name?: unknown };
  const type = [code, reason, name].find((each) => typeof each === 'string' && /^\w{1,40}$/.test(each));
  return typeof type === 'string' ? type : 'error';
}
