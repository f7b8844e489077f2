import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { until } from './processes.mjs';

const PAUSE_MS = 50;
const PATIENCE_MS = 1_000;

/**
 * The measure of the service's own promise: a client that writes a row each 50 ms through HAProxy, on a new connection after each
 * failure, and notes when PostgreSQL acknowledged it.
 */
export class PlainClient {
  static async start(url) {
    const client = new PlainClient();
    client.url = url;
    client.acknowledged = [];
    // A busy machine may need longer than the patience for a failure.
    await until('the plain client', async () => {
      await client.connect();
      return true;
    });
    await client.db.query('CREATE TABLE IF NOT EXISTS plain_client (at timestamptz)');
    client.work = client.run();
    return client;
  }

  async connect() {
    const db = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    db.on('error', () => undefined);
    await db.connect();
    this.db = db;
  }

  async run() {
    while (!this.isStopping) {
      try {
        if (this.db === undefined) await this.connect();
        await this.db.query('INSERT INTO plain_client VALUES (clock_timestamp())');
        this.acknowledged.push(Date.now());
      } catch {
        this.db?.connection.stream.destroy();
        this.db = undefined;
      }
      await sleep(PAUSE_MS);
    }
    this.db?.connection.stream.destroy();
  }

  /** The longest time without an acknowledgement between two times, in seconds. */
  gap(from, to) {
    const times = [from, ...this.acknowledged.filter((time) => time >= from && time <= to)];
    return Math.max(0, ...times.slice(1).map((time, index) => time - times[index])) / 1_000;
  }

  async stop() {
    this.isStopping = true;
    await this.work;
  }
}
