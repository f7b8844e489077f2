import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Transaction } from '../db/database.js';
import { errorFields, type Logger } from '../logging/logger.js';
import { Outbox } from './outbox.js';

/** One channel for the whole service; the topic travels in the payload. */
const CHANNEL = 'gateway';
const KEEPALIVE_MS = 3_000;
const RECONNECT_MS = 250;
/** The interval at which listeners read the tables while the connection is lost. */
const RESYNC_MS = 1_000;

type Handler<T> = (payload: T) => void;

/** A kind of notification that a feature declares: its name, and the shape of its payload (ids, not objects). */
export interface Topic<T> {
  readonly name: string;
  /** The position that a payload tells of, and its subject: a later position includes the earlier ones. */
  readonly place?: (payload: T) => { of: string; position: number };
  /** Exists only for the type checker. */
  readonly payload?: T;
}

/** Declares a topic. Names are unique in the service. */
export function defineTopic<T>(name: string, place?: Topic<T>['place']): Topic<T> {
  return { name, ...(place !== undefined && { place }) };
}

/** A message of the channel. */
interface Message {
  topic: string;
  payload: never;
  /** The process that sent it; absent if an older version did. */
  from?: string;
}

/**
 * Hints to all processes that something was committed (PostgreSQL NOTIFY). They are sent after the commit, because a
 * transaction that notifies takes a lock on the whole cluster until its commit is on the disk and on the standby. A hint may
 * get lost: with its process, or while a connection is away. So readers also look at their tables each second; `onResync`
 * handlers run each second while the connection is lost, and once afterwards.
 */
export class Notifications {
  private readonly handlers = new Map<string, Set<Handler<never>>>();
  private readonly resyncHandlers = new Set<() => void>();
  private readonly outbox = new Outbox((texts) => this.send(texts));
  private readonly id = randomUUID();
  private hints = 0;
  private readonly positions = new Map<string, number>();
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private connecting = false;
  private lastAttempt = 0;

  constructor(
    private readonly databaseUrl: string,
    private readonly logger: Logger,
  ) {}

  /** False while notifications of other processes cannot arrive. */
  get healthy(): boolean {
    return this.client !== undefined;
  }

  /** Hints at payloads of one topic after the commit of `tx`, and never after a rollback. */
  publish<T>(tx: Pick<Transaction, 'afterCommit'>, topic: Topic<T>, ...payloads: readonly T[]): void {
    if (payloads.length > 0) tx.afterCommit(() => payloads.forEach((payload) => this.hint(topic, payload)));
  }

  /** Runs the handlers of this process at once, and those of other processes a moment later. */
  hint<T>(topic: Topic<T>, payload: T): void {
    this.notifyLocally(topic, payload);
    const place = topic.place?.(payload);
    if (place === undefined) this.outbox.add(`${(this.hints += 1)}`, this.textOf(topic, payload));
    else {
      const key = `${topic.name} ${place.of}`;
      // Commits of one subject may return in another order than their positions.
      if ((this.positions.get(key) ?? -1) >= place.position) return;
      this.positions.set(key, place.position);
      this.outbox.add(key, this.textOf(topic, payload));
    }
  }

  /** Runs the handlers of this process at once. */
  notifyLocally<T>(topic: Topic<T>, payload: T): void {
    this.handlers.get(topic.name)?.forEach((handler) => handler(payload as never));
  }

  /** Calls `handler` for each notification of the topic, from any process. @returns the function that removes it. */
  on<T>(topic: Topic<T>, handler: Handler<T>): () => void {
    const handlers = this.handlers.get(topic.name) ?? new Set();
    this.handlers.set(topic.name, handlers.add(handler));
    return () => handlers.delete(handler);
  }

  /** Calls `handler` whenever notifications may have been missed. */
  onResync(handler: () => void): void {
    this.resyncHandlers.add(handler);
  }

  /** Connects; later losses are repaired in the background. */
  async start(): Promise<void> {
    await this.connect();
    this.timer = setInterval(() => void this.tick(), RESYNC_MS);
    this.timer.unref();
  }

  /** Sends what waits, and disconnects. */
  async stop(): Promise<void> {
    await this.outbox.flush();
    this.closed = true;
    clearInterval(this.timer);
    await this.client?.end().catch(() => undefined);
    this.client = undefined;
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'workflow-gateway listen',
      connectionTimeoutMillis: 3_000,
      query_timeout: KEEPALIVE_MS,
      keepAlive: true,
    });
    client.on('error', (error) => this.lose(client, error));
    client.on('end', () => this.lose(client, new Error('The LISTEN connection ended.')));
    client.on('notification', ({ payload }) => this.dispatch(payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
    void this.keepAlive(client);
  }

  /** A silently broken connection looks idle: only an unanswered query reveals it. */
  private async keepAlive(client: pg.Client): Promise<void> {
    while (this.holds(client)) {
      await new Promise((resolve) => setTimeout(resolve, KEEPALIVE_MS).unref());
      if (!this.holds(client)) return;
      await client.query('SELECT 1').catch((error: unknown) => this.lose(client, error));
    }
  }

  private holds(client: pg.Client): boolean {
    return this.client === client && !this.closed;
  }

  private lose(client: pg.Client, error: unknown): void {
    if (this.client !== client || this.closed) return;
    this.client = undefined;
    this.logger.warn(errorFields(error), 'events: connection lost, polling the tables instead');
    void client.end().catch(() => undefined);
    setTimeout(() => void this.tick(), RECONNECT_MS).unref();
  }

  private async tick(): Promise<void> {
    if (this.client !== undefined || this.closed || this.connecting || Date.now() - this.lastAttempt < RECONNECT_MS)
      return;
    this.connecting = true;
    this.lastAttempt = Date.now();
    try {
      await this.connect();
      this.logger.info('events: connection is back');
    } catch {
      // The next tick tries again; until then the resync below keeps listeners up to date.
    } finally {
      this.connecting = false;
    }
    this.resyncHandlers.forEach((handler) => handler());
  }

  private async send(texts: string[]): Promise<void> {
    this.positions.clear();
    const { client } = this;
    if (client === undefined) return;
    // One that fails is lost with its connection, whose loss the keepalive reports.
    await client
      .query('SELECT pg_notify($1, text) FROM unnest($2::text[]) messages (text)', [CHANNEL, texts])
      .catch(() => undefined);
  }

  private textOf<T>(topic: Topic<T>, payload: T): string {
    return JSON.stringify({ topic: topic.name, payload, from: this.id });
  }

  /** The handlers of this process have run for its own messages. An error here would end the process. */
  private dispatch(text: string): void {
    try {
      const { topic, payload, from } = JSON.parse(text) as Message;
      if (from !== this.id) this.handlers.get(topic)?.forEach((handler) => handler(payload));
    } catch (error) {
      this.logger.error(errorFields(error), 'events: a message could not be handled');
    }
  }
}
