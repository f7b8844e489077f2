import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { prune } from '../db/in-batches.js';
import { MAX_UUID, MIN_UUID, newUuid } from '../ids/ids.js';
import { type MailEnd } from './mail-status.js';
import { type Outgoing } from './mail-transport.js';
import { MailTurns, type Taken } from './mail-turns.js';

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

/**
 * Finds the accounts with due mails one by one along the index, so that a backlog takes no time and has no priority.
 * They take turns behind the account that had the last turn (`ring`), each with its longest waiting mail. A second mail
 * of an account follows only if there are too few accounts. Parameters: the number of mails, the claim, its
 * milliseconds, whether urgent mails come first, the last account of the lane that comes first, that of the other lane.
 */
const CLAIM = `
  WITH turns AS MATERIALIZED (
    SELECT row_number() OVER () AS turn, found.* FROM (
      SELECT ring.lane, ring.urgent, waiting.account_id
      FROM (VALUES (1, $4::boolean, $5::uuid, '${MAX_UUID}'::uuid), (1, $4, '${MIN_UUID}', $5),
                   (2, NOT $4, $6::uuid, '${MAX_UUID}'), (2, NOT $4, '${MIN_UUID}', $6)) ring (lane, urgent, after, last)
      CROSS JOIN LATERAL (
        WITH RECURSIVE waiting AS (
          (SELECT account_id FROM mails
           WHERE urgent = ring.urgent AND next_attempt_at IS NOT NULL AND account_id > ring.after AND account_id <= ring.last
           ORDER BY account_id LIMIT 1)
          UNION ALL
          SELECT (SELECT m.account_id FROM mails m
                  WHERE m.urgent = ring.urgent AND m.next_attempt_at IS NOT NULL
                    AND m.account_id > waiting.account_id AND m.account_id <= ring.last
                  ORDER BY m.account_id LIMIT 1)
          FROM waiting WHERE waiting.account_id IS NOT NULL)
        SELECT account_id FROM waiting
        WHERE account_id IS NOT NULL AND EXISTS (
          SELECT 1 FROM mails m
          WHERE m.urgent = ring.urgent AND m.account_id = waiting.account_id AND m.next_attempt_at <= clock_now())) waiting
      LIMIT $1) found),
  offered AS (
    SELECT turns.turn, turns.lane, m.* FROM turns CROSS JOIN LATERAL (
      SELECT id, next_attempt_at, claim IS NOT NULL AS was_lost FROM mails m
      WHERE m.urgent = turns.urgent AND m.account_id = turns.account_id AND m.next_attempt_at <= clock_now()
      ORDER BY m.next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED) m),
  due AS (
    SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY turn ORDER BY next_attempt_at, id) AS round FROM offered) o
    ORDER BY lane, round, turn LIMIT $1)
  UPDATE mails m SET claim = $2, next_attempt_at = clock_now() + $3 * interval '1 ms', attempts = attempts + 1,
    lost = lost + was_lost::integer
  FROM due WHERE m.id = due.id
  RETURNING m.id AS uuid, m.recipients, coalesce(m.outstanding, m.recipients) AS outstanding, m.subject, m.text,
    m.html, m.created_at AS "createdAt", m.claim, m.attempts, m.lost, m.traceparent,
    m.urgent, m.account_id AS "accountId", due.turn`;

/** Access to the table `mails` for the sender. */
export class MailStore {
  private readonly turns = new MailTurns();

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Claims due mails of accounts by turns, see `MailTurns`. */
  async claim(count: number): Promise<ClaimedMail[]> {
    const { first, after } = this.turns;
    const claim = newUuid(this.clock.now());
    const mails = await this.db.query<ClaimedMail & Taken>(CLAIM, [count, claim, CLAIM_MS, first, ...after]);
    this.turns.note(mails);
    return mails;
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
