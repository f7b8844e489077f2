import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { ResponsePace } from './response-pace.js';
import { type Amounts, type Spending } from '../processes/spending.js';

/** The separate limits: reads, writes and `subscribe` messages per key; requests and their bytes per hook. */
export type RateKind = 'read' | 'write' | 'subscribe' | 'hook' | 'hookBytes';

/** The sustained weight per second of each kind; a burst may weigh twice as much. */
export type RateSettings = Readonly<Record<RateKind, number>>;

/** The sender of requests: a key, a session or a hook. All senders of an account are counted together too. */
export interface Sender {
  readonly id: string;
  /** Undefined for a hook: the requests of its account take turns instead. */
  readonly account?: string;
}

/** A token bucket that gets `rate` a second: `tokens` as of `at`, milliseconds of the clock. */
interface Bucket {
  readonly name: string;
  rate: number;
  tokens: number;
  at: number;
}

/**
 * The rate of an account, as a multiple of the rate of one key. Without it an account that makes sessions would have no
 * limit. It is more than half of what a process can answer.
 */
const FULL_SENDERS = 20;
const BURST_SECONDS = 2;
/** Behind the kind in the name of a bucket that all senders of an account share. */
const OF_ACCOUNT = '*';
/** Bytes of a body that weigh one: parsing and validating JSON takes time in proportion to its length. */
const BYTES_PER_WEIGHT = 16_384;
/**
 * The longest wait for a turn. Clients that all reconnect after a restart open more subscriptions at once than a burst
 * holds: they wait instead of being refused.
 */
const PATIENCE_MS = 30_000;
/** After this time without a request every bucket is full. */
const FULL_MS = BURST_SECONDS * 1_000;
/** Beyond this many buckets full ones are deleted: they equal new ones. */
const SWEEP_SIZE = 10_000;

/** Headers of draft-ietf-httpapi-ratelimit-headers-10: the limit, and the rest of it. */
export interface RateHeaders {
  'ratelimit-policy': string;
  ratelimit: string;
}

/** The result for one request: headers for its response, and the error if it is one too many. */
export interface RateDecision {
  headers: RateHeaders;
  /** `rate_limited`, with `Retry-After`. The caller throws it at its place in the order of checks. */
  refusal: AppError | undefined;
}

/**
 * Token buckets, which the processes of a machine share. No library offers bursts with these headers outside of Express.
 */
export class RateLimits {
  private readonly buckets = new Map<string, Bucket>();
  private readonly refusals = new ResponsePace();
  private sweptAt = -Infinity;

  /** `settings` undefined: no limits. `spending` undefined: this process serves alone. */
  constructor(
    private readonly clock: Clock,
    private readonly settings: RateSettings | undefined,
    private readonly spending?: Spending,
  ) {
    spending?.share({
      subtract: (name, amount) => this.subtract(name, amount),
      missing: () => this.missing(),
    });
  }

  /**
   * Counts a request of `sender` with this weight (graphql/weights.ts). A weight above a burst counts as a burst. Any
   * remaining token admits one request; the weight beyond it is owed by the next. @returns undefined while limits are
   * off.
   */
  take(kind: RateKind, sender: Sender, weight = 1): RateDecision | undefined {
    if (this.settings === undefined) return undefined;
    const [own, whole] = this.bucketsOf(kind, sender);
    const empty = [own, whole].find((bucket) => bucket.tokens < 1);
    if (empty === undefined)
      for (const bucket of new Set([own, whole])) this.charge(bucket, boundedWeight(weight, own.rate));
    return {
      headers: headersOf(kind, own),
      refusal: empty && this.refusal(kind, empty, own, this.refusals.next(empty.name)),
    };
  }

  /** Counts the weight of a request that was admitted before its weight was known; the excess is owed by the next. */
  spend(kind: RateKind, sender: Sender, weight: number): void {
    if (this.settings === undefined) return;
    for (const bucket of new Set(this.bucketsOf(kind, sender))) this.charge(bucket, weight);
  }

  /** Counts the weight of the body of an admitted request. */
  spendBody(kind: RateKind, sender: Sender, bytes: number): void {
    this.spend(kind, sender, Math.floor(bytes / BYTES_PER_WEIGHT));
  }

  /** Counts a request, which was let in as one of weight `taken`, as what it turned out to be. */
  recount(from: RateKind, kind: RateKind, sender: Sender, weight: number, taken = 1): RateDecision | undefined {
    if (this.settings === undefined) return undefined;
    for (const bucket of new Set(this.bucketsOf(from, sender))) {
      this.charge(bucket, -Math.min(taken, bucket.rate * BURST_SECONDS - bucket.tokens));
    }
    return this.take(kind, sender, weight);
  }

  /**
   * Waits for the turn of a request with this weight. @throws AppError `rate_limited` when the wait would be too long.
   */
  async turn(kind: RateKind, sender: Sender, weight = 1): Promise<void> {
    if (this.settings === undefined) return;
    const [own, whole] = this.bucketsOf(kind, sender);
    const asked = boundedWeight(weight, own.rate);
    const waitOf = ({ tokens, rate }: Bucket) => (1_000 * (asked - tokens)) / rate;
    const slower = waitOf(whole) > waitOf(own) ? whole : own;
    const wait = waitOf(slower);
    if (wait > PATIENCE_MS) throw this.refusal(kind, slower, own);
    for (const bucket of new Set([own, whole])) this.charge(bucket, asked);
    if (wait > 0) await sleep(wait, undefined, { ref: false });
  }

  /** Counts a response that refuses a document of an account. @returns as `ResponsePace.next`. */
  delayOfFault(accountId: string): number {
    return this.settings === undefined ? 0 : this.refusals.next(`fault ${accountId}`);
  }

  private charge(bucket: Bucket, weight: number): void {
    bucket.tokens -= weight;
    this.spending?.add(bucket.name, weight);
  }

  /** Counts what another process of the machine has admitted, or gives back what that one has. */
  private subtract(name: string, weight: number): void {
    const bucket = this.refill(name, this.rateOf(name));
    bucket.tokens = Math.min(bucket.rate * BURST_SECONDS, bucket.tokens - weight);
  }

  private missing(): Amounts {
    const names = [...this.buckets.keys()];
    const amounts = names.map((name): Amounts[number] => {
      const { rate, tokens } = this.refill(name, this.rateOf(name));
      return [name, rate * BURST_SECONDS - tokens];
    });
    return amounts.filter(([, amount]) => amount > 0);
  }

  private rateOf(name: string): number {
    const kind = name.slice(0, name.indexOf(' '));
    return kind.endsWith(OF_ACCOUNT)
      ? FULL_SENDERS * this.settings![kind.slice(0, -OF_ACCOUNT.length) as RateKind]
      : this.settings![kind as RateKind];
  }

  private refusal(kind: RateKind, { tokens, rate }: Bucket, own: Bucket, holdMs = 0): AppError {
    const retryAfter = Math.ceil((1 - tokens) / rate);
    const ofAll = rate === own.rate ? '' : ' of all keys and sessions of the account';
    const message = `More than ${rate} ${WORDS[kind]} a second${ofAll}, by their weight. Try again in ${retryAfter} s.`;
    return new AppError('rate_limited', message, { retryAfter, holdMs });
  }

  /** The sender's own bucket and its account's; the same twice where it has none. */
  private bucketsOf(kind: RateKind, { id, account }: Sender): [own: Bucket, whole: Bucket] {
    const rate = this.settings![kind];
    const own = this.refill(`${kind} ${id}`, rate);
    return [own, account === undefined ? own : this.refill(`${kind}${OF_ACCOUNT} ${account}`, FULL_SENDERS * rate)];
  }

  private refill(name: string, rate: number): Bucket {
    const now = this.clock.now().getTime();
    const full = rate * BURST_SECONDS;
    let bucket = this.buckets.get(name);
    if (bucket === undefined) {
      // Not for every new bucket: while many arrive at once there is nothing to delete.
      if (this.buckets.size >= SWEEP_SIZE && Math.abs(now - this.sweptAt) >= FULL_MS) this.sweep(now);
      bucket = { name, rate, tokens: full, at: now };
      this.buckets.set(name, bucket);
    }
    // A clock that was set back must not drain a bucket.
    bucket.tokens = Math.min(full, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * rate);
    bucket.at = now;
    return bucket;
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    // A bucket in debt takes longer to be full than others.
    for (const [name, { tokens, rate, at }] of this.buckets)
      if (tokens + ((now - at) / 1_000) * rate >= rate * BURST_SECONDS) this.buckets.delete(name);
  }
}

const WORDS: Readonly<Record<RateKind, string>> = {
  read: 'reads',
  write: 'writes',
  subscribe: 'subscriptions',
  hook: 'posts',
  hookBytes: 'bytes',
};

/** NaN would leave a bucket that never refuses. */
function boundedWeight(weight: number, rate: number): number {
  return Number.isNaN(weight) ? rate * BURST_SECONDS : Math.min(weight, rate * BURST_SECONDS);
}

function headersOf(kind: RateKind, { rate, tokens }: Bucket): RateHeaders {
  const full = rate * BURST_SECONDS;
  const untilFull = Math.ceil((full - tokens) / rate);
  return {
    'ratelimit-policy': `"${kind}";q=${full};w=${BURST_SECONDS}`,
    ratelimit: `"${kind}";r=${Math.max(0, Math.floor(tokens))};t=${untilFull}`,
  };
}
