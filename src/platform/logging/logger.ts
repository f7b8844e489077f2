import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { isoText } from '../iso-text.js';
import { currentSpan } from '../tracing/span.js';
import { bufferedStdout } from './log-buffer.js';

/** Without a trace a line has no further field. */
const NOTHING = {};

/** The logger of pino. */
export type Logger = PinoLogger;

/**
 * Writes structured JSON lines to stdout. Callers name each logged field: no request, body, header or error object is
 * logged whole. `base`: fields of each line.
 */
export function createLogger(
  level: string,
  destination: DestinationStream = bufferedStdout(),
  base?: Record<string, unknown>,
): Logger {
  const options = {
    level,
    base,
    timestamp: () => `,"time":"${isoText(new Date())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const span = currentSpan();
      return span === undefined ? NOTHING : { trace_id: span.traceId };
    },
    mixinMergeStrategy: (fields: object, more: object) => (more === NOTHING ? fields : { ...more, ...fields }),
  };
  return pino(options, destination);
}

/**
 * The loggable fields of an error, without `detail`, `where` and parameters of PostgreSQL, which contain row values.
 */
export function errorFields(error: unknown): MessageFields & { stack?: string } {
  const { stack } = (error ?? {}) as { stack?: unknown };
  return { ...messageFields(error), ...(typeof stack === 'string' && { stack }) };
}

/** What the log says of an expected error. Node formats a stack when it is first read, so that none is read here. */
export function messageFields(error: unknown): MessageFields {
  // Of a library or another realm: an object with a message is an error, whatever its class.
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  if (typeof message !== 'string') return { error: typeof error };
  return { error: message, ...(typeof code === 'string' && { error_code: code }) };
}

interface MessageFields {
  error: string;
  error_code?: string;
}
