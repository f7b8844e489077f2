import { setTimeout as sleep } from 'node:timers/promises';

/** An acknowledged write: its content, its key, and the id in the response. */
export interface Written {
  kind: 'workflow' | 'integration' | 'run';
  key: string;
  id: string;
}

/** The responses of a dying service that ask for a retry. */
const AGAIN = [409, 503];

/** A well-behaved client: it repeats each write under the same key until it is acknowledged. */
export class RepeatingClient {
  readonly written: Written[] = [];
  private stopped = false;
  private count = 0;

  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
    /** The path of a hook that has `X-Delivery` as its `dedupe_header`. */
    private readonly hook: string,
  ) {}

  /** Writes with this many concurrent requests until `stop`; resolves when all started writes are acknowledged. */
  async work(lanes: number): Promise<void> {
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while (!this.stopped) {
          const kind = (['workflow', 'run', 'integration', 'run'] as const)[this.count % 4]!;
          const key = `${kind}-${(this.count += 1)}`;
          this.written.push({ kind, key, id: await this.write(kind, key) });
        }
      }),
    );
  }

  stop(): void {
    this.stopped = true;
  }

  /**
   * Repeats a write until it is acknowledged. @returns the id. @throws Error for a response that neither acknowledges
   * nor asks for a retry.
   */
  async write(kind: Written['kind'], key: string): Promise<string> {
    for (;;) {
      const answer = await this.post(kind, key).catch(() => undefined);
      if (answer !== undefined) {
        const { status, body } = answer;
        if (status === 201 || status === 202) return body.id ?? body.run_id!;
        if (!AGAIN.includes(status)) throw new Error(`${kind} ${key}: ${status} ${JSON.stringify(body)}`);
      }
      await sleep(20);
    }
  }

  private async post(kind: Written['kind'], key: string): Promise<{ status: number; body: Record<string, string> }> {
    const response = await (kind === 'run'
      ? fetch(this.hook, {
          method: 'POST',
          body: JSON.stringify(key),
          headers: { 'content-type': 'application/json', 'x-delivery': key },
        })
      : fetch(`${this.baseUrl}/v1/${kind === 'workflow' ? 'workflows' : 'integrations/connect'}`, {
          method: 'POST',
          body: JSON.stringify(
            kind === 'workflow'
              ? { name: key }
              : { type: 'sandbox_api_key', label: key, credentials: { api_key: 'sandbox_valid_key' } },
          ),
          headers: {
            authorization: `Bearer ${this.apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
        }));
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }
}
