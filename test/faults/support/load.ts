import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client } from '../../support/http/client.js';
import { LivedTime } from '../../support/lived-time.js';

/** Concurrent requests of each kind. */
const LANES_PER_KIND = 3;
/** Shorter than `Retry-After` (a second), to keep tests short. */
const PAUSE_MS = 100;

/** The outcome of one request. */
export interface Outcome {
  what: string;
  /** The number of the concurrent lane. */
  lane: number;
  status: number;
  retryAfter: string | null;
  milliseconds: number;
}

/** Clients that send every kind of request repeatedly, and record the outcomes. */
export class Load {
  readonly outcomes: Outcome[] = [];
  lanes = 0;
  private readonly time = new LivedTime();
  private stopped = false;
  /** Names of workflows with unacknowledged creation; each is its own Idempotency-Key. */
  private readonly pending = new Map<number, string>();

  constructor(
    private readonly client: Client,
    /** The path of a hook. */
    private readonly hook: string,
  ) {}

  /** Resolves after `stop`. */
  async work(): Promise<void> {
    const kinds: [string, (lane: number) => Promise<Answer>][] = [
      ['list', () => this.client.send('GET', '/v1/workflows')],
      ['create', () => this.client.send('POST', '/v1/workflows', { body: { name: 'x' } })],
      ['create once', (lane) => this.createOnce(lane)],
      ['graphql', () => this.client.send('POST', '/graphql', { body: { query: '{ workflows { items { name } } }' } })],
      ['hook', () => this.client.send('POST', this.hook, { body: '1' })],
      ['connect', () => this.client.send('POST', '/v1/integrations/connect', { body: { type: 'sandbox_oauth' } })],
    ];
    const lanes = kinds.flatMap((kind) => Array<(typeof kinds)[0]>(LANES_PER_KIND).fill(kind));
    this.lanes = lanes.length;
    await Promise.all(
      lanes.map(async ([what, send], lane) => {
        while (!this.stopped) await this.ask(what, lane, send);
      }),
    );
  }

  stop(): void {
    this.stopped = true;
    this.time.stop();
  }

  /** The number of lanes with such an outcome since the given one. */
  lanesWith(had: (outcome: Outcome) => boolean, since: number): number {
    return new Set(this.outcomes.slice(since).flatMap((outcome) => (had(outcome) ? [outcome.lane] : []))).size;
  }

  /** Repeated under the same key until it is acknowledged. */
  private async createOnce(lane: number): Promise<Answer> {
    const name = this.pending.get(lane) ?? `once-${randomUUID()}`;
    this.pending.set(lane, name);
    const answer = await this.client.send('POST', '/v1/workflows', {
      body: { name },
      headers: { 'idempotency-key': name },
    });
    if (answer.status === 201) this.pending.delete(lane);
    return answer;
  }

  private async ask(what: string, lane: number, send: (lane: number) => Promise<Answer>): Promise<void> {
    const began = this.time.milliseconds;
    const { status, headers, body } = await send(lane);
    // GraphQL reports it in `errors`, with status 200 when the operation had started.
    const isAway = status === 503 || body.errors?.[0]?.extensions.code === 'UNAVAILABLE';
    this.outcomes.push({
      what,
      lane,
      status: isAway ? 503 : status,
      retryAfter: isAway && status === 200 ? '1' : headers.get('retry-after'),
      milliseconds: this.time.milliseconds - began,
    });
    if (isAway || status === 409) await sleep(PAUSE_MS);
  }
}
