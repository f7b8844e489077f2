import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../../platform/clock.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database, type Transaction } from '../../platform/db/database.js';
import { prune } from '../../platform/db/in-batches.js';
import { AppError, isDatabaseAway, validationError } from '../../platform/errors.js';
import { newUuid } from '../../platform/ids/ids.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type SealContext, type Secrets, sha256 } from '../../platform/encryption/secrets.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

const KEPT_MS = 86_400_000;
/** A key whose request has not ended by then is free again: its process has died. */
const ABANDONED_MS = 60_000;
const RETRY_MS = 500;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
const COLUMNS = columnsOf(IdempotencyKey, 'k');

/** What identifies a repetition. `path` is without its query, `body` as it came. */
export interface RepeatableRequest {
  accountId: string;
  /** The connect session that asks; undefined for a key. */
  sessionId?: string | undefined;
  key: string;
  path: string;
  body: string | Uint8Array;
}

/** An answer worth keeping: a 2xx. A refusal is thrown, and decided anew by the next request. */
export interface KeptAnswer {
  status: number;
  body: unknown;
}

interface Claim {
  accountId: string;
  digest: Buffer;
  bodyDigest: Buffer;
  claimId: string;
}

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a client that repeats itself does nothing twice. What a
 * request writes and the answer that is kept of it are one transaction, so a crash leaves both or neither.
 */
export class Idempotency {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Does the work, or gives the answer of the first time.
   * @throws AppError `validation_error` (the key), `conflict` (still in flight), `idempotency_mismatch` (another body).
   */
  async once(request: RepeatableRequest, work: () => Promise<KeptAnswer>): Promise<KeptAnswer & { replayed: boolean }> {
    if (!VISIBLE_ASCII.test(request.key)) {
      throw validationError({ field: 'Idempotency-Key', message: 'must have 1 to 255 visible ASCII characters' });
    }
    const claim = this.claimOf(request);
    try {
      const kept = await this.claim(claim);
      if (kept !== undefined) return { ...kept, replayed: true };
      const answer = await this.db.together(work, (tx, done) => this.keep(tx, claim, done));
      return { ...answer, replayed: false };
    } catch (error) {
      // Also where the claim itself failed: it may be stored, and only its acknowledgement lost.
      const released = this.release(claim);
      // Nobody waits for a second timeout after the first.
      if (!isDatabaseAway(error)) await released;
      throw error;
    }
  }

  /** Forgets keys after 24 hours. */
  job(): PeriodicJob {
    return {
      name: 'prune-idempotency-keys',
      everyMs: 3_600_000,
      run: (signal) =>
        prune(this.db, signal, { table: 'idempotency_keys', column: 'claimed_at', until: this.ago(KEPT_MS) }),
    };
  }

  private claimOf({ accountId, sessionId, key, path, body }: RepeatableRequest): Claim {
    // Neither part holds a space, so two parts are never three.
    const digest = sha256(sessionId === undefined ? `${key} ${path}` : `${sessionId} ${key} ${path}`);
    return { accountId, digest, bodyDigest: sha256(body), claimId: newUuid(this.clock.now()) };
  }

  /** Takes the key for this request. @returns the kept answer when the request was done before. */
  private async claim(claim: Claim): Promise<KeptAnswer | undefined> {
    const { accountId, digest, bodyDigest, claimId } = claim;
    const taken = await this.db.query(
      `INSERT INTO idempotency_keys AS k (account_id, digest, body_digest, claim_id, claimed_at)
       VALUES ($1, $2, $3, $4, clock_now())
       ON CONFLICT (account_id, digest) DO UPDATE SET body_digest = excluded.body_digest, claim_id = excluded.claim_id,
         claimed_at = excluded.claimed_at, status = NULL, answer = NULL
       WHERE k.claimed_at <= clock_now() - $6 * interval '1 ms'
         OR (k.status IS NULL AND k.claimed_at <= clock_now() - $5 * interval '1 ms')
       RETURNING 1 AS one`,
      [accountId, digest, bodyDigest, claimId, ABANDONED_MS, KEPT_MS],
    );
    if (taken.length > 0) return undefined;
    const [first] = await this.db.select(
      IdempotencyKey,
      `SELECT ${COLUMNS} FROM idempotency_keys k WHERE k.account_id = $1 AND k.digest = $2`,
      [accountId, digest],
    );
    // The first request was refused between the two statements: the key is free.
    if (first === undefined) return this.claim(claim);
    if (!first.bodyDigest.equals(bodyDigest)) {
      throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another body.');
    }
    if (first.status === null || first.answer === null) {
      throw new AppError('conflict', 'A request with this Idempotency-Key is still in flight.', { retryAfter: 1 });
    }
    return { status: first.status, body: JSON.parse(this.secrets.open(first.answer, contextOf(claim))) as unknown };
  }

  private async keep(tx: Transaction, claim: Claim, { status, body }: KeptAnswer): Promise<void> {
    const kept = await tx.query(
      `UPDATE idempotency_keys SET status = $4, answer = $5 WHERE account_id = $1 AND digest = $2 AND claim_id = $3 RETURNING 1 AS one`,
      [
        claim.accountId,
        claim.digest,
        claim.claimId,
        status,
        this.secrets.seal(JSON.stringify(body ?? null), contextOf(claim)),
      ],
    );
    if (kept.length === 0)
      throw new AppError('conflict', 'The request took so long that another has taken its Idempotency-Key.');
  }

  /** A refusal is not kept. While the database is away this is tried again; after a minute the key is free anyway. */
  private async release({ accountId, digest, claimId }: Claim): Promise<void> {
    for (
      const deadline = performance.now() + ABANDONED_MS;
      performance.now() < deadline;
      await sleep(RETRY_MS, undefined, { ref: false })
    ) {
      try {
        await this.db.query(
          `DELETE FROM idempotency_keys WHERE account_id = $1 AND digest = $2 AND claim_id = $3 AND status IS NULL`,
          [accountId, digest, claimId],
        );
        return;
      } catch (error) {
        if (!isDatabaseAway(error)) return;
      }
    }
  }

  private ago(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() - milliseconds);
  }
}

function contextOf({ accountId, digest }: Claim): SealContext {
  return { accountId, table: 'idempotency_keys', id: digest.toString('hex') };
}
