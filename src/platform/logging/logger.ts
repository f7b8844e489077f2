import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { isoText } from '../iso-text.js';
import { bufferedStdout } from './log-buffer.js';

export type Logger = PinoLogger;

/** Structured JSON lines on stdout. Callers name each field they log: no request, body, header or error object goes in whole. */
export function createLogger(level: string, destination: DestinationStream = bufferedStdout()): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: () => `,"time":"${isoText(new Date())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination);
}

/** The fields of an error that may stand in a log: no `detail`, `where` or parameters of PostgreSQL, which hold row values. */
export function errorFields(error: unknown): { error: string; error_code?: string; stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code } = error as { code?: unknown };
  const fields: { error: string; error_code?: string; stack?: string } = { error: error.message };
  if (typeof code === 'string') fields.error_code = code;
  if (error.stack !== undefined) fields.stack = error.stack;
  return fields;
}
