import { type Clock } from '../clock.js';
import { AppError } from '../errors.js';

/** What is limited, each by itself: reads and writes per key, posts per hook. */
export type RateKind = 'read' | 'write' | 'hook';

/** Requests per second, sustained; a burst may hold twice as many. */
export type RateSettings = Readonly<Record<RateKind, number>>;

/** A bucket that fills up again: `tokens` as of `at`, milliseconds of the clock. */
interface Bucket {
  tokens: number;
  at: number;
}

const BURST_SECONDS = 2;
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

  /** Counts one request of `who`. @returns undefined while limits are off. */
  take(kind: RateKind, who: string): RateDecision | undefined {
    if (this.settings === undefined) return undefined;
    const rate = this.settings[kind];
    const bucket = this.refill(`${kind} ${who}`, rate);
    if (bucket.tokens < 1) {
      const retryAfter = Math.ceil((1 - bucket.tokens) / rate);
      const message = `More than ${rate} ${WORDS[kind]} a second. Try again in ${retryAfter} s.`;
      return {
        headers: headersOf(kind, rate, bucket.tokens),
        refusal: new AppError('rate_limited', message, { retryAfter }),
      };
    }
    bucket.tokens -= 1;
    return { headers: headersOf(kind, rate, bucket.tokens), refusal: undefined };
  }

  /** Uncounts a request that turned out to be of another kind. */
  giveBack(kind: RateKind, who: string): void {
    if (this.settings === undefined) return;
    const bucket = this.refill(`${kind} ${who}`, this.settings[kind]);
    bucket.tokens = Math.min(this.settings[kind] * BURST_SECONDS, bucket.tokens + 1);
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
    for (const [name, { at }] of this.buckets) {
      if (now - at >= FULL_MS) this.buckets.delete(name);
    }
  }
}

const WORDS: Readonly<Record<RateKind, string>> = { read: 'reads', write: 'writes', hook: 'posts' };

function headersOf(kind: RateKind, rate: number, tokens: number): RateHeaders {
  const full = rate * BURST_SECONDS;
  const untilFull = Math.ceil((full - tokens) / rate);
  return {
    'ratelimit-policy': `"${kind}";q=${full};w=${BURST_SECONDS}`,
    ratelimit: `"${kind}";r=${Math.floor(tokens)};t=${untilFull}`,
  };
}
