import { type Caller } from './context.js';

/** A response that is stored and replayed: a 2xx. Errors are thrown and not stored, so a repetition is executed again. */
export interface KeptAnswer {
  status: number;
  body: unknown;
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
