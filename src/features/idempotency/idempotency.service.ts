import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../../platform/clock.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database, type Transaction } from '../../platform/db/database.js';
import { prune } from '../../platform/db/in-batches.js';
import { type Measured, measured, readRest } from '../../platform/db/texts/measured-texts.js';
import { AppError, isDatabaseAway, validationError } from '../../platform/errors.js';
import { newUuid } from '../../platform/ids/ids.js';
import { type SealContext, type Secrets, sha256 } from '../../platform/encryption/secrets.js';
import { type StoredBytes, unlimitedBytes } from '../../platform/admission/daily/stored-bytes.js';
import { LongWork } from '../../platform/admission/long-work.js';
import { currentWork } from '../../platform/admission/work.js';
import { hasCalled } from '../../platform/db/transaction-context.js';
import { type KeptAnswer, type RepeatableRequest, type Repetition } from '../../platform/repetition.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { KeptBytes } from './kept-bytes.js';
import { answerOf, demandBytes, NOT_KEPT, notKept, sizeOf, textOf } from './kept-text.js';

/** How long a response is kept for repetitions, in milliseconds. */
export const KEPT_MS = 86_400_000;
/** After this time the key of an unfinished request is free again: its process has died. */
export const ABANDONED_MS = 60_000;
const RETRY_MS = 500;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
const ANSWER = { answer: 'k.answer' };
const { columns, join } = measured(ANSWER, 'k.digest');
const OF_KEY = `WHERE k.account_id = $1 AND k.digest = $2`;
const FIRST = `SELECT ${columnsOf(IdempotencyKey, 'k', ['answer'])}, ${columns} FROM idempotency_keys k ${join} ${OF_KEY}`;
const LONG_ANSWER = `SELECT k.answer FROM idempotency_keys k ${OF_KEY} AND k.claim_id = $3`;

interface Claim {
  accountId: string;
  digest: Buffer;
  bodyDigest: Buffer;
  claimId: string;
}

/** A response, and the values of its row. */
interface Sealed {
  answer: KeptAnswer;
  status: number;
  link: string | undefined;
  sealed: string;
}

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a repeated request has no second effect. The writes of
 * a request and its kept response are one transaction, so a crash leaves both or neither.
 */
export class Idempotency implements Repetition {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly longWork = new LongWork(),
    private readonly keptBytes = new KeptBytes(clock),
    private readonly stored: StoredBytes = unlimitedBytes(clock),
  ) {}

  /**
   * Does the work, or returns the kept response of the first request.
   * @throws AppError `validation_error` (the key), `idempotency_in_progress`, `idempotency_mismatch` (another body), or
   * `conflict` if the work took so long that another request has taken the key, or if the response of the first request
   * was not kept; `answer_too_large` or `rate_limited` if the response cannot be kept, after which nothing has changed.
   */
  async once(request: RepeatableRequest, work: () => Promise<KeptAnswer>): Promise<KeptAnswer & { replayed: boolean }> {
    if (!VISIBLE_ASCII.test(request.key)) {
      throw validationError({ field: 'Idempotency-Key', message: 'must have 1 to 255 visible ASCII characters' });
    }
    const claim = this.claimOf(request);
    try {
      const kept = await this.claim(claim);
      if (kept !== undefined) return { ...kept, replayed: true };
      const { answer } = await this.db.unitOfWork(
        async () => this.sealed(claim, await work()),
        (tx, done) => this.keep(tx, claim, done),
      );
      return { ...answer, replayed: false };
    } catch (error) {
      // Also if the claim itself failed: it may be stored, with only the acknowledgement lost.
      const released = this.release(claim);
      // The caller should not wait for a second database timeout after the first.
      if (!isDatabaseAway(error)) await released;
      throw error;
    }
  }

  /** Deletes keys after 24 hours. */
  prune(signal?: AbortSignal): Promise<void> {
    return prune(this.db, signal, { table: 'idempotency_keys', column: 'claimed_at', until: this.ago(KEPT_MS) });
  }

  private claimOf({ accountId, repeater, key, path, body }: RepeatableRequest): Claim {
    // No part contains a space, so the two-part form and the three-part form never collide.
    const digest = sha256(repeater === undefined ? `${key} ${path}` : `${repeater} ${key} ${path}`);
    return { accountId, digest, bodyDigest: sha256(body), claimId: newUuid(this.clock.now()) };
  }

  /** Claims the key for this request. @returns the kept response if the request was executed before. */
  private async claim(claim: Claim): Promise<KeptAnswer | undefined> {
    const { accountId, digest, bodyDigest, claimId } = claim;
    const taken = await this.db.query(
      `INSERT INTO idempotency_keys AS k (account_id, digest, body_digest, claim_id, claimed_at)
       VALUES ($1, $2, $3, $4, clock_now())
       ON CONFLICT (account_id, digest) DO UPDATE SET body_digest = excluded.body_digest, claim_id = excluded.claim_id,
         claimed_at = excluded.claimed_at, status = NULL, answer = NULL, link = NULL
       WHERE k.claimed_at <= clock_now() - $6 * interval '1 ms'
         OR (k.status IS NULL AND k.claimed_at <= clock_now() - $5 * interval '1 ms')
       RETURNING 1 AS one`,
      [accountId, digest, bodyDigest, claimId, ABANDONED_MS, KEPT_MS],
    );
    if (taken.length > 0) return undefined;
    currentWork().answer?.readsStored();
    const [first] = await this.db.query<IdempotencyKey & Measured>(FIRST, [accountId, digest]);
    // The first request failed between the two statements: the key is free.
    if (first === undefined) return this.claim(claim);
    if (!first.bodyDigest.equals(bodyDigest)) {
      throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another body.');
    }
    if (first.status === null || first.textBytes === 0) {
      throw new AppError('idempotency_in_progress', 'A request with this Idempotency-Key is still in flight.', {
        retryAfter: 1,
      });
    }
    if (first.status === NOT_KEPT.status) throw notKept();
    // A large one waits for its place before it is read, as what is read for any response does.
    await readRest([first], ANSWER, () => this.db.query(LONG_ANSWER, [accountId, digest, first.claimId]));
    // Its 24 hours were over in between: the key is free, or another request has taken it.
    if (first.answer === null) return this.claim(claim);
    await this.longWork.piece(accountId, first.answer.length);
    const kept = answerOf(this.secrets.open(first.answer, contextOf(claim)));
    return { status: first.status, ...kept, link: first.link ?? undefined };
  }

  /**
   * Seals the response. If it cannot be kept, the work fails and is undone. Work that has called another service cannot
   * be undone: then the row only says that it took effect, because a repetition would call again.
   */
  private async sealed(claim: Claim, answer: KeptAnswer): Promise<Sealed> {
    const context = contextOf(claim);
    try {
      const text = await this.admittedText(claim.accountId, answer);
      return { answer, status: answer.status, link: answer.link, sealed: this.secrets.seal(text, context) };
    } catch (error) {
      if (!hasCalled() || !(error instanceof AppError)) throw error;
      return { answer, ...NOT_KEPT, link: undefined, sealed: this.secrets.seal(NOT_KEPT.text, context) };
    }
  }

  /** The text to seal, in a turn for long work. @throws AppError `answer_too_large`, `rate_limited`. */
  private async admittedText(accountId: string, answer: KeptAnswer): Promise<string> {
    const size = sizeOf(answer);
    demandBytes(size, answer);
    await this.longWork.piece(accountId, size);
    const { text, bytes } = textOf(answer);
    demandBytes(bytes, answer);
    this.keptBytes.add(accountId, bytes);
    return text;
  }

  private async keep(tx: Transaction, claim: Claim, { status, link, sealed }: Sealed): Promise<void> {
    const kept = await tx.query(
      `UPDATE idempotency_keys SET status = $4, answer = $5, link = $6 WHERE account_id = $1 AND digest = $2 AND claim_id = $3 RETURNING 1 AS one`,
      [claim.accountId, claim.digest, claim.claimId, status, sealed, link ?? null],
    );
    if (kept.length === 0)
      throw new AppError('conflict', 'The request took so long that another has taken its Idempotency-Key.');
    tx.afterCommit(() => this.stored.add(claim.accountId, sealed.length));
  }

  /** Frees the key after an error. Retries while the database is away; after a minute the key is free anyway. */
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
