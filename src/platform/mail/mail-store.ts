import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { prune } from '../db/in-batches.js';
import { newUuid } from '../ids/ids.js';
import { type MailEnd } from './mail-status.js';
import { type Outgoing } from './mail-transport.js';

/**
 * The lifetime of a claim, in milliseconds: longer than the timeout of a mail. A mail that is still claimed afterwards
 * lost its sender.
 */
const CLAIM_MS = 180_000;
const KEEP_DAYS = 30;

/** A mail that only this process may send until the claim expires. */
export interface ClaimedMail extends Outgoing {
  claim: string;
  /** The number of attempts, including the current one. */
  attempts: number;
  /** How often a process died while it sent the mail, perhaps after it was sent. */
  lost: number;
  /** The trace that it was queued in; null without one. */
  traceparent: string | null;
}

/** Access to the table `mails` for the sender. */
export class MailStore {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Claims due mails: urgent ones first, then the longest waiting. */
  async claim(count: number): Promise<ClaimedMail[]> {
    return this.db.query<ClaimedMail>(
      `WITH due AS (
         SELECT id, claim IS NOT NULL AS was_lost FROM mails WHERE next_attempt_at <= clock_now()
         ORDER BY urgent DESC, next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       UPDATE mails m SET claim = $2, next_attempt_at = clock_now() + $3 * interval '1 ms', attempts = attempts + 1, lost = lost + was_lost::integer
       FROM due WHERE m.id = due.id
       RETURNING m.id AS uuid, m.recipients, coalesce(m.outstanding, m.recipients) AS outstanding, m.subject, m.text,
         m.html, m.created_at AS "createdAt", m.claim, m.attempts, m.lost, m.traceparent`,
      [count, newUuid(this.clock.now()), CLAIM_MS],
    );
  }

  /** Records the end of a mail. @returns false when another process has claimed it in between. */
  async end({ uuid, claim }: ClaimedMail, status: MailEnd, error?: string): Promise<boolean> {
    const ended = await this.db.query(
      `UPDATE mails SET status = $3, ended_at = $4, last_error = $5, next_attempt_at = NULL, claim = NULL
       WHERE id = $1 AND claim = $2 RETURNING 1 AS one`,
      [uuid, claim, status, this.clock.now(), error ?? null],
    );
    return ended.length > 0;
  }

  /** Releases the mail until `at`; only the `outstanding` recipients get it then. @returns as `end` does. */
  async later({ uuid, claim }: ClaimedMail, at: Date, outstanding: readonly string[], error: string): Promise<boolean> {
    const kept = await this.db.query(
      `UPDATE mails SET next_attempt_at = $3, outstanding = $4, last_error = $5, claim = NULL
       WHERE id = $1 AND claim = $2 RETURNING 1 AS one`,
      [uuid, claim, at, outstanding, error],
    );
    return kept.length > 0;
  }

  /** Deletes ended mails 30 days after they were queued; until then their key cannot be used again. */
  async prune(signal?: AbortSignal): Promise<void> {
    const until = new Date(this.clock.now().getTime() - KEEP_DAYS * 86_400_000);
    await prune(this.db, signal, { table: 'mails', column: 'created_at', until, where: 'next_attempt_at IS NULL' });
  }
}
