import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { newKeyText } from '../../../src/features/api-keys/key-text.js';
import { type IdPrefix, toPublicId } from '../../../src/platform/ids/ids.js';
import { sha256 } from '../../../src/platform/encryption/secrets.js';
import { until } from '../../support/until.js';

/** The test's own connection to the database of services that run as processes, or whose database is disturbed. */
export class Observer {
  private constructor(private readonly client: pg.Client) {}

  static async open(url: string): Promise<Observer> {
    const client = new pg.Client({ connectionString: url, application_name: 'observer' });
    client.on('error', () => undefined);
    await client.connect();
    return new Observer(client);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  async rows<T extends object = Record<string, any>>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.client.query<T>(text, values)).rows;
  }

  /** Rows of `key` and `id`, with ids as clients see them. */
  async stored(prefix: IdPrefix, text: string): Promise<{ key: string; id: string }[]> {
    const rows = await this.rows<{ key: string; id: string }>(text);
    return rows.map(({ key, id }) => ({ key, id: toPublicId(prefix, id) }));
  }

  /** A read-write API key of a new account. */
  async key(): Promise<string> {
    const [secret, accountId] = [newKeyText(), randomUUID()];
    await this.rows(`INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, now())`, [accountId, accountId]);
    await this.rows(
      `INSERT INTO api_keys (id, account_id, label, scope, digest, last_four, created_at)
       VALUES ($1, $2, 'test', 'read-write', $3, $4, now())`,
      [randomUUID(), accountId, sha256(secret), secret.slice(-4)],
    );
    return secret;
  }

  /**
   * Waits until PostgreSQL has noticed the death of a service, and advances the minute for which its idempotency keys
   * are claimed.
   */
  async freeKeysOfTheDead(): Promise<void> {
    await until(async () => {
      const left = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'workflow-gateway%'`;
      return (await this.rows(left)).length === 0;
    });
    await this.rows(`UPDATE idempotency_keys SET claimed_at = claimed_at - interval '61 s' WHERE status IS NULL`);
  }
}
