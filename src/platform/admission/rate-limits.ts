import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../clock.js';
import { AppError } from '../errors.js';

/** What is limited, each by itself: reads, writes and `subscribe` messages per key, posts and their bytes per hook. */
export type RateKind = 'read' | 'write' | 'subscribe' | 'hook' | 'hookBytes';

/** What may weigh so much per second, sustained; a burst may weigh twice as much. */
export type RateSettings = Readonly<Record<RateKind, number>>;

/** A bucket that fills up again: `tokens` as of `at`, milliseconds of the clock. */
interface Bucket {
  tokens: number;
  at: number;
}

const BURST_SECONDS = 2;
/** So many bytes of a body weigh one beyond the first so many: reading and judging JSON takes time with its length. */
const BYTES_PER_WEIGHT = 16_384;
/**
 * How long what takes its turn may wait for it. Clients that all come back after a restart open more subscriptions at
 * once than a burst holds: they wait, and are not refused.
 */
const PATIENCE_MS = 30_000;
/** After so long without a request every bucket is full. */
const FULL_MS = BURST_SECONDS * 1_000;
/** Beyond this many buckets, full ones are forgotten: they are what a new one would be. */
const SWEEP_SIZE = 10_000;

/** Headers of draft-ietf-httpapi-ratelimit-headers-10: what the limit is, and what is left of it. */
export interface RateHeaders {
  'ratelimit-policy': string;
  ratelimit: string;
}

/** What a request came to: headers for its answer, and the refusal if it is one too many. */
export interface RateDecision {
  headers: RateHeaders;
  /** `rate_limited`, with `Retry-After`: to be thrown where the order of decision has it. */
  refusal: AppError | undefined;
}

/** Token buckets per process. No library offers bursts with these headers outside of Express. */
export class RateLimits {
  private readonly buckets = new Map<string, Bucket>();
  private sweptAt = -Infinity;

  /** `settings` undefined: no limits. */
  constructor(
    private readonly clock: Clock,
    private readonly settings: RateSettings | undefined,
  ) {}

  /**
   * Counts a request of `who` that weighs so much (graphql/weights.ts); one that weighs more than a burst counts as a
   * burst. Whatever is left lets one request pass, and what it weighs beyond that is missing for the next.
   * @returns undefined while limits are off.
   */
  take(kind: RateKind, who: string, weight = 1): RateDecision | undefined {
    if (this.settings === undefined) return undefined;
    const rate = this.settings[kind];
    const bucket = this.refill(`${kind} ${who}`, rate);
    if (bucket.tokens < 1)
      return { headers: headersOf(kind, rate, bucket.tokens), refusal: this.refusal(kind, bucket) };
    bucket.tokens -= boundedWeight(weight, rate);
    return { headers: headersOf(kind, rate, bucket.tokens), refusal: undefined };
  }

  /** Counts what was let in before its weight was known; what is too much is missing for the next. */
  spend(kind: RateKind, who: string, weight: number): void {
    if (this.settings !== undefined) this.refill(`${kind} ${who}`, this.settings[kind]).tokens -= weight;
  }

  /** Counts what a body weighs whose request was let in. */
  spendBody(kind: RateKind, who: string, bytes: number): void {
    this.spend(kind, who, Math.floor(bytes / BYTES_PER_WEIGHT));
  }

  /** Counts a request, which was let in as one of weight `taken`, as what it turned out to be. */
  recount(from: RateKind, kind: RateKind, who: string, weight: number, taken = 1): RateDecision | undefined {
    if (this.settings === undefined) return undefined;
    const rate = this.settings[from];
    const bucket = this.refill(`${from} ${who}`, rate);
    bucket.tokens = Math.min(rate * BURST_SECONDS, bucket.tokens + taken);
    return this.take(kind, who, weight);
  }

  /** Waits until it is the turn of what weighs so much. @throws AppError `rate_limited` where that is too long from now. */
  async turn(kind: RateKind, who: string, weight = 1): Promise<void> {
    if (this.settings === undefined) return;
    const rate = this.settings[kind];
    const bucket = this.refill(`${kind} ${who}`, rate);
    const missing = boundedWeight(weight, rate) - bucket.tokens;
    if (missing > (rate * PATIENCE_MS) / 1_000) throw this.refusal(kind, bucket);
    bucket.tokens = -missing;
    if (missing > 0) await sleep((missing / rate) * 1_000, undefined, { ref: false });
  }

  private refusal(kind: RateKind, { tokens }: Bucket): AppError {
    const rate = this.settings![kind];
    const retryAfter = Math.ceil((1 - tokens) / rate);
    const message = `More than ${rate} ${WORDS[kind]} a second, by their weight. Try again in ${retryAfter} s.`;
    return new AppError('rate_limited', message, { retryAfter });
  }

  private refill(name: string, rate: number): Bucket {
    const now = this.clock.now().getTime();
    const full = rate * BURST_SECONDS;
    let bucket = this.buckets.get(name);
    if (bucket === undefined) {
      // Not for each that is new: while many come at once there is nothing to forget.
      if (this.buckets.size >= SWEEP_SIZE && Math.abs(now - this.sweptAt) >= FULL_MS) this.sweep(now);
      bucket = { tokens: full, at: now };
      this.buckets.set(name, bucket);
    }
    // A clock that was set back must not drain anybody.
    bucket.tokens = Math.min(full, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * rate);
    bucket.at = now;
    return bucket;
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [name, { tokens, at }] of this.buckets) {
      // One that owes is not full yet.
      if (now - at >= FULL_MS && tokens >= 0) this.buckets.delete(name);
    }
  }
}

const WORDS: Readonly<Record<RateKind, string>> = {
  read: 'reads',
  write: 'writes',
  subscribe: 'subscriptions',
  hook: 'posts',
  hookBytes: 'bytes',
};

/** What is no number would leave a bucket that never refuses. */
function boundedWeight(weight: number, rate: number): number {
  return Number.isNaN(weight) ? rate * BURST_SECONDS : Math.min(weight, rate * BURST_SECONDS);
}

function headersOf(kind: RateKind, rate: number, tokens: number): RateHeaders {
  const full = rate * BURST_SECONDS;
  const untilFull = Math.ceil((full - tokens) / rate);
  return {
    'ratelimit-policy': `"${kind}";q=${full};w=${BURST_SECONDS}`,
    ratelimit: `"${kind}";r=${Math.max(0, Math.floor(tokens))};t=${untilFull}`,
  };
}
