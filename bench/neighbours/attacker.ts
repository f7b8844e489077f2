import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import type pg from 'pg';
import WebSocket from 'ws';
import { startSecureTarget, startTarget, type Target } from './target.js';

/** The attacking account and its target port. */
export interface Side {
  port: number;
  accountUuid: string;
  /** Read-write. */
  key: string;
  /** Read-only. */
  readKey: string;
}

/** A response; `body` is parsed if it is JSON. */
export interface Answer {
  status: number;
  body: unknown;
}

/** The fields that an attack reads of a created object. */
export interface Made {
  id: string;
  /** Of a trigger. */
  webhook_url?: string;
  /** Of a connect session. */
  token?: string;
}

/** A request beside its method and path. */
export interface Sending {
  key?: string | undefined;
  body?: string | object;
  headers?: Record<string, string>;
}

/** An action of a workflow, as REST accepts it. */
export type Action = Readonly<{ name: string; kind: string; config: object }>;

const NO_OP: Action = { name: 'no-op', kind: 'condition', config: { path: 'trigger.body', operator: 'exists' } };

/** An abusive client: it opens as many connections as it likes, and reads only what it wants. */
export class Attacker {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly open = new Set<{ destroy(): void } | WebSocket>();
  private target: Promise<Target> | undefined;
  private secureTarget: Promise<Target> | undefined;

  /** `size` is the fraction of the rows that an attack prepares, up to 1. */
  constructor(
    readonly side: Side,
    readonly db: pg.Client,
    readonly size: number,
  ) {}

  /** The URL of a misbehaving server, see `target.ts`. */
  async targetUrl(path: string): Promise<string> {
    return `${(await (this.target ??= startTarget())).url}${path}`;
  }

  /** The same over TLS. */
  async secureTargetUrl(path: string): Promise<string> {
    return `${(await (this.secureTarget ??= startSecureTarget())).url}${path}`;
  }

  /** Sends any request of this account. Rejects without a response. */
  send(method: string, path: string, { key = this.side.key, body, headers = {} }: Sending = {}): Promise<Answer> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        port: this.side.port,
        method,
        path,
        agent: this.agent,
        headers: {
          ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, body: parsed(Buffer.concat(chunks).toString()) }),
        );
      });
      request.end(text);
    });
  }

  /** Sends a GraphQL operation, by default with the read-only key. */
  graphql(query: string, variables: object = {}, key = this.side.readKey): Promise<Answer> {
    return this.send('POST', '/graphql', { key, body: { query, variables } });
  }

  /** Sends a REST request that prepares an attack. @throws Error when it is refused. */
  async make(method: string, path: string, body?: object): Promise<Made> {
    for (;;) {
      const answer = await this.send(method, `/v1${path}`, body === undefined ? {} : { body });
      if (answer.status < 300) return answer.body as Made;
      if (answer.status !== 429) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Creates an active workflow with these actions. @returns its id. */
  async workflow(actions: readonly Action[] = [NO_OP]): Promise<string> {
    const { id } = await this.make('POST', '/workflows', { name: 'attack', status: 'active' });
    await this.make('PUT', `/workflows/${id}/actions`, { actions });
    return id;
  }

  /** Creates a hook that fires such a workflow. @returns its path. */
  async hook(actions?: readonly Action[]): Promise<string> {
    const trigger = await this.make('POST', '/triggers', {
      workflow_id: await this.workflow(actions),
      type: 'webhook',
    });
    return new URL(trigger.webhook_url!).pathname;
  }

  /** Posts to a hook or to the `eventsUrl` of an integration. */
  post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, { key: '', body, headers });
  }

  /** A bare TCP connection; the attack writes to it. */
  connection(): Socket {
    const socket = connect(this.side.port, '127.0.0.1');
    socket.on('error', () => undefined);
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    return socket;
  }

  /** Opens an authenticated WebSocket that may subscribe. Rejects when it is refused. */
  async socket(key = this.side.readKey): Promise<WebSocket> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.side.port}/graphql`, 'graphql-transport-ws');
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () =>
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } })),
      );
      socket.once('message', () => resolve());
      socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
      socket.on('error', reject);
    });
    return socket;
  }

  /** Closes everything. */
  async close(): Promise<void> {
    this.agent.destroy();
    for (const one of this.open) {
      if ('terminate' in one) one.terminate();
      else one.destroy();
    }
    await Promise.all([this.target, this.secureTarget].map(async (target) => (await target)?.close()));
  }
}

/** Subscribes on a socket. */
export function subscribe(socket: WebSocket, id: string, query: string, variables: object = {}): void {
  socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query, variables } }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
