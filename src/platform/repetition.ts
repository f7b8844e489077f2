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
  /** The connect session of the caller; undefined for a key. */
  sessionId?: string | undefined;
  key: string;
  path: string;
  body: string;
}

/** Executes a request with an `Idempotency-Key`, or replays the response of the first time. */
export interface Repetition {
  once(request: RepeatableRequest, work: () => Promise<KeptAnswer>): Promise<KeptAnswer & { replayed: boolean }>;
}
