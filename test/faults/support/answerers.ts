import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.js';

/** Responses that ask for a repetition. 502: the application, which is the service itself, was being killed. */
const AGAIN: ReadonlySet<number> = new Set([409, 429, 502, 503]);
/** The longest pause before an answer is repeated, in milliseconds. */
const PAUSE_MS = 1_000;
/** The longest time between an event and the answer to its wait, before or after it, in milliseconds. */
const SPREAD_MS = 1_000;

/**
 * The other side of waits: the target of the first and the last step of each run. It answers a run's wait at a random moment
 * from before until after the run reaches it, and repeats the answer until it is taken.
 */
export class Answerers {
  /** The keys of runs whose answers the service has acknowledged. */
  readonly answered = new Set<string>();
  /** The keys of runs whose last step was called. */
  readonly continued = new Set<string>();
  /** Responses that neither took an answer nor asked to repeat it. */
  readonly faults: string[] = [];
  /** How long the requests of taken answers took, in milliseconds. */
  readonly taking: number[] = [];
  /** By key, the later of two times: the first step got its response; the answer was acknowledged. */
  private readonly ready = new Map<string, number>();
  private readonly called = new Map<string, number>();
  private readonly begun = new Set<string>();
  private readonly ends = new Map<string, PromiseWithResolvers<void>>();

  private constructor(
    private readonly server: Server,
    private readonly answer: (key: string, given: any) => Promise<number>,
  ) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString());
        if (request.url === '/first') {
          void this.answerOnce(body.key, body);
          setTimeout(() => {
            this.ready.set(body.key, performance.now());
            response.end('{}');
          }, Math.random() * SPREAD_MS);
        } else {
          if (!this.continued.has(body.key)) this.called.set(body.key, performance.now());
          this.continued.add(body.key);
          this.endOf(body.key).resolve();
          response.end('{}');
        }
      });
    });
  }

  /** `answer` sends the answer of a run, and returns the status of the response. */
  static async start(answer: (key: string, given: any) => Promise<number>): Promise<Answerers> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Answerers(server, answer);
  }

  /** Resolves when the last step of a run was called, or its answer was refused. */
  end(key: string): Promise<void> {
    return this.endOf(key).promise;
  }

  /** Resolves when the last steps of so many runs were called, or their answers refused. Only a standstill fails. */
  async reach(count: number): Promise<void> {
    const ended = () => this.continued.size + this.faults.length;
    while (ended() < count) {
      const before = ended();
      await until(() => ended() > before);
    }
  }

  /**
   * From when both an answer is acknowledged and its run can reach the wait, to the call of the last step, in milliseconds.
   * The call may come before the acknowledgement.
   */
  get continuing(): number[] {
    return [...this.called].map(([key, at]) => Math.max(0, at - this.ready.get(key)!));
  }

  call(name: 'first' | 'last', body: object): object {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
    return { name, kind: 'http_request', config: { method: 'POST', url, body } };
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private endOf(key: string): PromiseWithResolvers<void> {
    const end = this.ends.get(key) ?? Promise.withResolvers<void>();
    this.ends.set(key, end);
    return end;
  }

  private async answerOnce(key: string, given: unknown): Promise<void> {
    if (this.begun.has(key)) return;
    this.begun.add(key);
    await sleep(Math.random() * 2 * SPREAD_MS);
    for (let pause = 20; ; pause = Math.min(2 * pause, PAUSE_MS)) {
      const sent = performance.now();
      const status = await this.answer(key, given).catch(() => 503);
      if (status < 300) {
        this.taking.push(performance.now() - sent);
        this.ready.set(key, performance.now());
        break;
      }
      if (!AGAIN.has(status)) {
        this.faults.push(`${key}: ${status}`);
        return this.endOf(key).resolve();
      }
      await sleep(pause);
    }
    this.answered.add(key);
  }
}
