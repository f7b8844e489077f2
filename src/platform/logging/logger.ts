import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { isoText } from '../iso-text.js';
import { bufferedStdout } from './log-buffer.js';

/** The logger of pino. */
export type Logger = PinoLogger;

/**
 * Writes structured JSON lines to stdout. Callers name each logged field: no request, body, header or error object is
 * logged whole.
 */
export function createLogger(level: string, destination: DestinationStream = bufferedStdout()): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: () => `,"time":"${isoText(new Date())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination);
}

/**
 * The loggable fields of an error, without `detail`, `where` and parameters of PostgreSQL, which contain row values.
 */
export function errorFields(error: unknown): { error: string; error_code?: string; stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code } = error as { code?: unknown };
  const fields: { error: string; error_code?: string; stack?: string } = { error: error.message };
  if (typeof code === 'string') fields.error_code = code;
  if (error.stack !== undefined) fields.stack = error.stack;
  return fields;
}
