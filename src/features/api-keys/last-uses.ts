import { workForCallers } from '../../platform/admission/work.js';
import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';

const NOTED_MS = 60_000;
/** The keys of one statement. */
const BATCH = 1_000;
/** The pause before the uses of keys with locked rows are tried again, in milliseconds. */
const AGAIN_MS = 2_000;

const IS_DUE = `(k.last_used_at IS NULL OR k.last_used_at <= u.at - ${NOTED_MS} * interval '1 ms')`;

/** Writes the uses whose rows are free. @returns the keys of the others. */
const WRITE = `
  WITH used AS (SELECT id, at FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at)),
  free AS (SELECT k.id, u.at FROM used u JOIN api_keys k ON k.id = u.id WHERE ${IS_DUE} FOR NO KEY UPDATE OF k SKIP LOCKED),
  written AS (UPDATE api_keys k SET last_used_at = free.at FROM free WHERE k.id = free.id)
  SELECT k.id FROM used u JOIN api_keys k ON k.id = u.id WHERE ${IS_DUE} AND k.id NOT IN (SELECT id FROM free)`;

/**
 * Writes `last_used_at` of keys, at most once a minute for each key. Requests do not wait for it. A client may lock the
 * rows of its keys for seconds, and the use is noted before the work belongs to an account. So one statement at a time
 * writes the uses of all accounts, and waits for no lock.
 */
export class LastUses {
  /** The time of each key's last noted use, oldest first. Entries older than a minute are removed. */
  private readonly noted = new Map<string, number>();
  /** The uses to be written, by key. */
  private readonly due = new Map<string, number>();
  /** Those whose rows were locked, or whose statement failed. */
  private readonly skipped = new Map<string, number>();
  private writing: Promise<void> | undefined;
  private again: NodeJS.Timeout | undefined;

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
    this.due.set(keyId, now);
    void this.write();
  }

  /** Writes what is left, except uses of keys whose rows are still locked. */
  async stop(): Promise<void> {
    this.takeUp();
    await this.write();
    clearTimeout(this.again);
  }

  private async write(): Promise<void> {
    if (this.due.size > 0) this.writing ??= workForCallers(() => this.writeAll());
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.due.size > 0) await this.writeSome([...this.due].slice(0, BATCH));
    this.writing = undefined;
  }

  private async writeSome(uses: [keyId: string, at: number][]): Promise<void> {
    for (const [keyId] of uses) this.due.delete(keyId);
    const values = [uses.map(([keyId]) => keyId), uses.map(([, at]) => new Date(at))];
    const left = await this.db.query<{ id: string }>(WRITE, values).then(
      (rows) => new Set(rows.map(({ id }) => id)),
      (error: unknown) => {
        this.logger.warn(errorFields(error), 'api key: last uses were not stored, they are tried again');
        return undefined;
      },
    );
    for (const [keyId, at] of uses) if (left?.has(keyId) ?? true) this.skipped.set(keyId, at);
    if (this.skipped.size > 0) this.again ??= setTimeout(() => this.takeUp(), AGAIN_MS).unref();
  }

  private takeUp(): void {
    clearTimeout(this.again);
    this.again = undefined;
    for (const [keyId, at] of this.skipped) if (!this.due.has(keyId)) this.due.set(keyId, at);
    this.skipped.clear();
    void this.write();
  }

  private forgetUntil(time: number): void {
    for (const [keyId, at] of this.noted) {
      if (at > time) return;
      this.noted.delete(keyId);
    }
  }
}
