/** An answer worth giving again: a 2xx. */
export interface GivenAnswer {
  status: number;
  body: unknown;
}

/** What makes a request the same as one before. `path` is without its query, `body` as it came. */
export interface RepeatableRequest {
  accountId: string;
  /** The connect session that asks; undefined for a key. */
  sessionId?: string | undefined;
  key: string;
  path: string;
  body: string | Uint8Array;
}

/** Does the work of a request with an `Idempotency-Key`, or gives the answer of the first time. */
export interface Repetition {
  once(request: RepeatableRequest, work: () => Promise<GivenAnswer>): Promise<GivenAnswer & { replayed: boolean }>;
}
