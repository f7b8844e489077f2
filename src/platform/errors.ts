import { UNREADABLE, UnreadableError } from './encryption/unreadable.js';

/** One refused field: `field` is a dotted path in the names of the transport. */
export interface ErrorDetail {
  field: string;
  message: string;
}

interface ErrorKind {
  status: number;
  level: 'debug' | 'info' | 'warn' | 'error';
}

/** Every error code, with its HTTP status and log level, for all transports. */
export const ERROR_KINDS = {
  validation_error: { status: 400, level: 'info' },
  invalid_json: { status: 400, level: 'info' },
  answer_too_large: { status: 400, level: 'info' },
  unauthorized: { status: 401, level: 'info' },
  forbidden: { status: 403, level: 'info' },
  not_found: { status: 404, level: 'info' },
  method_not_allowed: { status: 405, level: 'info' },
  conflict: { status: 409, level: 'info' },
  not_connected: { status: 409, level: 'info' },
  idempotency_in_progress: { status: 409, level: 'info' },
  gone: { status: 410, level: 'info' },
  precondition_failed: { status: 412, level: 'info' },
  payload_too_large: { status: 413, level: 'info' },
  unsupported_media_type: { status: 415, level: 'info' },
  invalid_credentials: { status: 422, level: 'info' },
  idempotency_mismatch: { status: 422, level: 'info' },
  rate_limited: { status: 429, level: 'info' },
  internal_error: { status: 500, level: 'error' },
  provider_unavailable: { status: 502, level: 'warn' },
  unavailable: { status: 503, level: 'warn' },
} as const satisfies Record<string, ErrorKind>;

/** A code of `ERROR_KINDS`, as clients receive it. */
export type ErrorCode = keyof typeof ERROR_KINDS;

/** An error for a client: a code for machines, a sentence for people, a cause for the log that is never sent. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly options: {
      details?: ErrorDetail[];
      cause?: unknown;
      retryAfter?: number;
      /** Another status than that of the code. */
      status?: number;
      headers?: Record<string, string>;
      /** How long to hold the error back, in milliseconds (http/inbound/held-response.ts). */
      holdMs?: number | undefined;
      /** The error that a user receives instead, without facts about other accounts. */
      toPersons?: AppError;
    } = {},
  ) {
    super(message, { cause: options.cause });
  }

  /** The same error with `holdMs`. */
  heldBack(holdMs: number | undefined): AppError {
    return new AppError(this.code, this.message, { ...this.options, holdMs });
  }

  get status(): number {
    return this.options.status ?? ERROR_KINDS[this.code].status;
  }

  get details(): ErrorDetail[] | undefined {
    return this.options.details;
  }
}

/**
 * The maximum of details: more would not help the reader, and would make the response many times as large as the
 * request.
 */
export const MAX_DETAILS = 100;

/** A `validation_error` about one or more fields; the message repeats the first so that it can be read alone. */
export function validationError(...faults: [ErrorDetail, ...ErrorDetail[]]): AppError {
  const [first] = faults;
  const details = faults.slice(0, MAX_DETAILS) as [ErrorDetail, ...ErrorDetail[]];
  return new AppError('validation_error', `${first.field}: ${first.message}`, { details });
}

/** Names in a `not_found` the argument that names nothing, for a client that must tell it from the others. */
export async function namingField<T>(field: string, found: Promise<T>): Promise<T> {
  return found.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError('not_found', error.message, {
      ...error.options,
      details: [{ field, message: 'names nothing' }],
    });
  });
}

/** `not_found` for a noun in the singular, e.g. `notFound('workflow')`. */
export function notFound(thing: string): AppError {
  return new AppError('not_found', `No such ${thing}.`);
}

/** Seconds until a retry when an encryption key is missing: an operator must add it first. */
const KEY_RETRY_AFTER = 60;

const DATABASE_AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  // PostgreSQL: connection exceptions (08*), admin shutdown, crash shutdown, cannot connect now, too many connections,
  // statement and lock timeouts, read-only after a failover.
  '57P01',
  '57P02',
  '57P03',
  // An idle connection or transaction that PostgreSQL ended, and its database that was dropped.
  '25P03',
  '25P04',
  '57P04',
  '57P05',
  '53300',
  // Its disk is full: it takes no writes until there is space.
  '53100',
  '57014',
  '55P03',
  '25006',
  // Of this service: no connection was free in time
  'NO_TURN',
]);

/** True when an error means that the database was unavailable, so that a later retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  // Checks fields, not the class: errors of native code may come from another realm.
  for (
    let cause = error as Cause | undefined | null;
    typeof cause === 'object' && cause !== null;
    cause = cause.cause
  ) {
    const { code, syscall, message, driverError, thrownValue } = cause;
    if (typeof code === 'string' && (DATABASE_AWAY.has(code) || code.startsWith('08'))) return true;
    // The socket file of a server that is not running; without `connect` the code may concern any file.
    if (code === 'ENOENT' && syscall === 'connect') return true;
    if (typeof message === 'string' && CONNECTION_LOST.test(message)) return true;
    if (driverError !== undefined && driverError !== cause && isDatabaseAway(driverError)) return true;
    if (thrownValue !== undefined && isDatabaseAway(thrownValue)) return true;
  }
  return false;
}

/** True when the database did not respond in time, although its own statement timeout is shorter. */
export function isDatabaseSilent(error: unknown): boolean {
  const { message, driverError } = (error ?? {}) as Cause;
  return (
    (typeof message === 'string' && SILENT.test(message)) ||
    (driverError !== undefined && isDatabaseSilent(driverError))
  );
}

/** The fields of an error and of its causes that are read here. */
interface Cause {
  code?: unknown;
  syscall?: unknown;
  message?: unknown;
  driverError?: unknown;
  /** Set where GraphQL wrapped an error of another realm as a thrown value. */
  thrownValue?: unknown;
  cause?: Cause;
}

/** Messages of pg: the first of an open connection, the others of one that is waited for or being opened. */
const SILENT =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/;

/**
 * pg throws these without a code; TypeORM the last one, when a connection is lost between two statements of a
 * transaction.
 */
const CONNECTION_LOST =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|query runner (was )?already released/i;

/** Two transactions conflicted, and this one was rolled back: a retry works. */
function isConflictOfTransactions(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '40001' || code === '40P01';
}

/**
 * The error that a client receives for any thrown value: itself, `unavailable` while the database is away, else
 * `internal_error`.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isConflictOfTransactions(error)) {
    const message = 'Another request changed the same objects at the same time; nothing has changed. Try again.';
    return new AppError('unavailable', message, { cause: error, retryAfter: 1 });
  }
  if (isDatabaseAway(error)) {
    const message = 'The service cannot reach its database. Try again shortly.';
    return new AppError('unavailable', message, { cause: error, retryAfter: 1 });
  }
  if (error instanceof UnreadableError) {
    const message = `Something that the service stored for this cannot be read. ${UNREADABLE}`;
    return new AppError('unavailable', message, { cause: error, retryAfter: KEY_RETRY_AFTER });
  }
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: error });
}
