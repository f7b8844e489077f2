import { Agent, request as httpRequest } from 'node:http';
import WebSocket from 'ws';
import { giveHooks } from '../runs/accounts.js';
import { type SeededAccount } from '../seed.js';

/**
 * The repeated operations of the neighbour: `run` lasts from its request to the hook until its listener receives the
 * end.
 */
export type Doing = 'list' | 'hook' | 'run';

/** The duration of each operation in milliseconds, in order. */
export type Samples = Record<Doing, number[]>;

const LIST_EVERY_MS = 50;
const HOOK_EVERY_MS = 100;
/** The longest wait for the last runs. */
const LAST_MS = 30_000;
const FOLLOW = `subscription ($id: ID!) { runStatusChanged(workflowId: $id) { run { id status } } }`;

/** A message that the listener receives. */
interface Heard {
  type: string;
  payload?: { data?: { runStatusChanged?: { run?: { id?: string; status?: string } } } };
}

/** An account that lists, fires a hook and listens for its runs, at a steady pace independent of the responses. */
export class Neighbour {
  /** Refused requests and missing events. */
  readonly errors: string[] = [];
  private samples: Samples = { list: [], hook: [], run: [] };
  private readonly agent = new Agent({ keepAlive: true });
  /** By the run's id: the time of its request, or of its end if that arrived first. */
  private readonly posted = new Map<string, number>();
  private readonly heard = new Map<string, number>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly timers: NodeJS.Timeout[] = [];

  private constructor(
    private readonly port: number,
    private readonly key: string,
    private readonly hook: string,
    private readonly listener: WebSocket,
  ) {
    listener.on('message', (data: Buffer) => this.hear(data));
    listener.on('close', (code) => this.errors.push(`the listener was closed with ${code}`));
  }

  /** Creates its workflow and subscribes to it. */
  static async open(port: number, account: SeededAccount): Promise<Neighbour> {
    const made = await giveHooks(port, [account]);
    const { workflowId, hook } = made[0]!;
    const listener = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.once('open', () =>
        listener.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${account.key}` } })),
      );
      listener.once('message', () => resolve());
    });
    listener.on('error', () => undefined);
    const payload = { query: FOLLOW, variables: { id: workflowId } };
    listener.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
    return new Neighbour(port, account.key, hook, listener);
  }

  /** Repeats the operations until `stop`. */
  start(): void {
    this.samples = { list: [], hook: [], run: [] };
    this.timers.push(setInterval(() => this.track(this.list()), LIST_EVERY_MS));
    this.timers.push(setInterval(() => this.track(this.fire()), HOOK_EVERY_MS));
  }

  /** Sends no further request, and waits for the running ones. */
  async stop(): Promise<Samples> {
    this.timers.splice(0).forEach((timer) => clearInterval(timer));
    await Promise.all(this.underWay);
    for (const end = performance.now() + LAST_MS; this.posted.size > 0 && performance.now() < end;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const run of this.posted.keys()) this.errors.push(`the end of ${run} was not heard`);
    this.posted.clear();
    return this.samples;
  }

  close(): void {
    this.listener.removeAllListeners('close');
    this.listener.terminate();
    this.agent.destroy();
  }

  private track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => void this.errors.push((error as Error).message))
      .finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }

  private async list(): Promise<void> {
    await this.timed('list', 'GET', '/v1/workflows', 200);
  }

  private async fire(): Promise<void> {
    const started = performance.now();
    const { run_id } = JSON.parse(await this.timed('hook', 'POST', this.hook, 202)) as { run_id: string };
    const heard = this.heard.get(run_id);
    if (heard === undefined) this.posted.set(run_id, started);
    else this.samples.run.push(heard - started);
    this.heard.delete(run_id);
  }

  private hear(data: Buffer): void {
    const { type, payload } = JSON.parse(data.toString()) as Heard;
    if (type === 'error') this.errors.push(`the listener was refused: ${JSON.stringify(payload)}`);
    if (type !== 'next') return;
    const { id: runId, status } = payload?.data?.runStatusChanged?.run ?? {};
    if (runId === undefined) this.errors.push(`the listener heard ${JSON.stringify(payload)}`);
    if (runId === undefined || status === 'QUEUED' || status === 'RUNNING') return;
    const posted = this.posted.get(runId);
    if (posted === undefined) this.heard.set(runId, performance.now());
    else this.samples.run.push(performance.now() - posted);
    this.posted.delete(runId);
  }

  private async timed(doing: Doing, method: string, path: string, status: number): Promise<string> {
    const started = performance.now();
    const answer = await this.ask(method, path);
    if (answer.status !== status) throw new Error(`${doing}: ${answer.status} ${answer.text.slice(0, 200)}`);
    this.samples[doing].push(performance.now() - started);
    return answer.text;
  }

  private ask(method: string, path: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
      const request = httpRequest({ port: this.port, method, path, agent: this.agent, headers });
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      });
      request.end(method === 'POST' ? '{"order":1}' : undefined);
    });
  }
}
