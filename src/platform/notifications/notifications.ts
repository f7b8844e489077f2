import pg from 'pg';
import { type Queryable, type Transaction } from '../db/database.js';
import { errorFields, type Logger } from '../logging/logger.js';

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
  /** Exists only for the type checker. */
  readonly payload?: T;
}

/** Declares a topic. Names are unique in the service. */
export function defineTopic<T>(name: string): Topic<T> {
  return { name };
}

/**
 * Notifications bound to transactions: published inside one, they reach every process at its commit, and never after a
 * rollback (PostgreSQL NOTIFY). Some may be missed while the connection is lost. `onResync` handlers run each second
 * until it is back and once afterwards, and must read the tables.
 */
export class Notifications {
  private readonly handlers = new Map<string, Set<Handler<never>>>();
  private readonly resyncHandlers = new Set<() => void>();
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

  /**
   * Publishes a payload at the commit of `tx`. The handlers of this process run right after the commit, and again when
   * the database's own message arrives.
   */
  async publish<T>(tx: Transaction, topic: Topic<T>, payload: T): Promise<void> {
    await this.send(tx, topic, [payload]);
    tx.afterCommit(() => this.notifyLocally(topic, payload));
  }

  /**
   * Sends payloads of one topic through the database alone, in order, by one statement; an empty list costs none. This
   * process receives them like the others.
   */
  async send<T>(on: Queryable, topic: Topic<T>, payloads: readonly T[]): Promise<void> {
    if (payloads.length === 0) return;
    const texts = payloads.map((payload) => notificationText(topic, payload));
    await on.query('SELECT pg_notify($1, text) FROM unnest($2::text[]) messages (text)', [CHANNEL, texts]);
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

  async stop(): Promise<void> {
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

  private dispatch(text: string): void {
    const { topic, payload } = JSON.parse(text) as { topic: string; payload: never };
    this.handlers.get(topic)?.forEach((handler) => handler(payload));
  }
}

/** The payload of a NOTIFY on the service's channel. */
function notificationText<T>(topic: Topic<T>, payload: T): string {
  return JSON.stringify({ topic: topic.name, payload });
}

/** The channel's name, for statements that notify while they write. */
export const NOTIFY_CHANNEL = CHANNEL;
