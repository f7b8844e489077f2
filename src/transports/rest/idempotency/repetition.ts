/** A response that is stored and replayed: a 2xx. */
export interface GivenAnswer {
  status: number;
  body: unknown;
}

/** The identity of a request. `path` excludes the query string; `body` is the raw text. */
export interface RepeatableRequest {
  accountId: string;
  /** The connect session of the caller; undefined for a key. */
  sessionId?: string | undefined;
  key: string;
  path: string;
  body: string | Uint8Array;
}

/** Executes a request with an `Idempotency-Key`, or replays the response of the first time. */
export interface Repetition {
  once(request: RepeatableRequest, work: () => Promise<GivenAnswer>): Promise<GivenAnswer & { replayed: boolean }>;
}
