import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';

const NOTED_MS = 60_000;

/** Writes `last_used_at` of keys, at most once a minute for each key. Requests do not wait for it. */
export class LastUses {
  /** The time of each key's last write, oldest first. Entries older than a minute are removed. */
  private readonly noted = new Map<string, number>();

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** The number of entries in memory; bounded by the keys used within a minute. */
  get size(): number {
    return this.noted.size;
  }

  note(keyId: string): void {
    const now = this.clock.now().getTime();
    this.forgetUntil(now - NOTED_MS);
    if (this.noted.has(keyId)) return;
    this.noted.set(keyId, now);
    this.db
      .query(`UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`, [
        keyId,
        new Date(now),
        new Date(now - NOTED_MS),
      ])
      .catch((error: unknown) => this.logger.warn(errorFields(error), 'api key: last use was not stored'));
  }

  private forgetUntil(time: number): void {
    for (const [keyId, at] of this.noted) {
      if (at > time) return;
      this.noted.delete(keyId);
    }
  }
}
