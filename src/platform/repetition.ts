import { type Caller } from './context.js';

/** The maximum size of a response that is kept, in bytes: an input of 1 MB fits, also with its quotes escaped. */
export const MAX_KEPT_BYTES = 2_097_152;

/** A response that is stored and replayed: a 2xx. Errors are thrown and not stored, so a repetition is executed again. */
export interface KeptAnswer {
  status: number;
  body: unknown;
  /** A long text that belongs to the body; it is stored as it is, because JSON in JSON takes up to twice the bytes. */
  text?: string;
  /** The header `Link`. */
  link?: string | undefined;
}

/** The identity of a request. `path` excludes the query string; equal `body` texts mean equal bodies. */
export interface RepeatableRequest {
  accountId: string;
  /** See `repeaterOf`. */
  repeater?: string | undefined;
  key: string;
  path: string;
  body: string;
}

/** Executes a request with an `Idempotency-Key`, or replays the response of the first time. */
export interface Repetition {
  once(request: RepeatableRequest, work: () => Promise<KeptAnswer>): Promise<KeptAnswer & { replayed: boolean }>;
}

/**
 * The uuid of the caller to which alone a stored response may be replayed. Undefined for API keys: those of an account
 * share theirs, so that a rotation repeats nothing. A person may do more than a key, and gets more back.
 */
export function repeaterOf(caller: Caller): string | undefined {
  switch (caller.kind) {
    case 'person':
      return caller.userId;
    case 'key':
      return undefined;
    case 'connect_session':
      return caller.sessionId;
  }
}
