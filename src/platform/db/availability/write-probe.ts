import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cancelStatement } from '../connections/cancelling-client.js';

/** The longest that a check takes, in milliseconds: load balancers give up after one or two seconds. */
const PATIENCE_MS = 900;
/** A write is proof for this long, in milliseconds, unless a statement fails: at most ten a second are made for checks. */
const PROOF_MS = 100;
/** The longest wait for one commit, in milliseconds. Later the connection may lead nowhere: a failover may have taken place. */
const HELD_MS = 3_000;

/** PostgreSQL answers `on` while it is a standby, and while an operator has made it read-only. */
const IS_WRITABLE = `current_setting('transaction_read_only') = 'off'`;
const ASK = `SELECT ${IS_WRITABLE} AS writable`;
/**
 * Commits a record to the log that no table has, so the answer waits for whatever a commit waits for, e.g. a synchronous
 * standby. A read-only transaction may write such a record too, so the statement looks first.
 */
const WRITE = `
  SELECT CASE WHEN ${IS_WRITABLE} THEN pg_logical_emit_message(true, 'workflow_gateway', 'readyz') IS NOT NULL ELSE false END
    AS writable`;

/** What a check needs to know of the service. */
export interface WriteProbeOptions {
  url: string;
  /** When a statement has last failed for lack of the database, in milliseconds of `performance.now()`. */
  failedAt: () => number;
}

/** A statement that has no answer yet. */
interface Asked {
  client: pg.Client;
  since: number;
  /** Whether the statement was sent and may wait for its commit. */
  isWriting: boolean;
  /** Never rejects. */
  answer: Promise<boolean>;
}

/**
 * Tells whether the database can be written to: on a connection of its own, so that a busy pool is no outage, and within a
 * second. Only a commit is proof; between two of them checks ask whether the database is there and not read-only.
 */
export class WriteProbe {
  private client: pg.Client | undefined;
  private running: Promise<boolean> | undefined;
  private asked: Asked | undefined;
  /** The last write: when it was sent, and when it was committed. */
  private proof = { begun: -Infinity, ended: -Infinity };

  constructor(private readonly options: WriteProbeOptions) {}

  /** Never rejects. Calls at the same time share one statement. */
  async isWritable(): Promise<boolean> {
    this.running ??= this.check().finally(() => (this.running = undefined));
    return this.running;
  }

  async close(): Promise<void> {
    await this.running;
    if (this.asked !== undefined) this.giveUp(this.asked);
    await this.client?.end().catch(() => undefined);
    this.client = undefined;
  }

  private async check(): Promise<boolean> {
    const asked = (this.asked ??= this.ask());
    const tooLate = new AbortController();
    const late = sleep(PATIENCE_MS, 'late', { signal: tooLate.signal }).catch(() => 'late');
    const answer = await Promise.race([asked.answer, late]);
    tooLate.abort();
    if (typeof answer === 'boolean') return answer;
    // A server process that waits for its commit outlives its connection. So the next check waits for the same commit: with
    // one more for each check, the server would soon have no connection left.
    if (!asked.isWriting || performance.now() - asked.since > HELD_MS) this.giveUp(asked);
    return false;
  }

  private ask(): Asked {
    const begun = performance.now();
    const isProven = begun - this.proof.ended < PROOF_MS && this.options.failedAt() < this.proof.begun;
    const isNew = this.client === undefined;
    const client = (this.client ??= this.newClient());
    const send = async (): Promise<boolean> => {
      if (isNew) await client.connect();
      asked.isWriting = !isProven;
      const { rows } = await client.query<{ writable: boolean }>(isProven ? ASK : WRITE);
      const answer = rows[0]?.writable === true;
      if (answer && !isProven) this.proof = { begun, ended: performance.now() };
      return answer;
    };
    const asked: Asked = { client, since: begun, isWriting: false, answer: Promise.resolve(false) };
    asked.answer = send()
      .catch(() => {
        this.discard(client);
        return false;
      })
      .finally(() => {
        if (this.asked === asked) this.asked = undefined;
      });
    return asked;
  }

  private newClient(): pg.Client {
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: 'workflow-gateway readyz',
      connectionTimeoutMillis: PATIENCE_MS,
      keepAlive: true,
    });
    client.on('error', () => this.discard(client));
    return client;
  }

  /** Closes the connection, and ends the wait of the server's process, which else remains until the standby is back. */
  private giveUp({ client, isWriting }: Asked): void {
    if (isWriting) cancelStatement(client);
    this.asked = undefined;
    this.discard(client);
  }

  private discard(client: pg.Client): void {
    if (this.client === client) this.client = undefined;
    // `end()` waits for the server's answer, which a dead one never gives.
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}
