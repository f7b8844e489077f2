import { currentTrace } from '../tracing/span.js';
import { type Clock } from '../clock.js';
import { type Queryable } from '../db/database.js';
import { newUuid } from '../ids/ids.js';
import { mailFault } from './mail-faults.js';

/** A mail of plain text, optionally with an HTML version. */
export interface Mail {
  accountId: string;
  /** Validated addresses without names. */
  to: readonly string[];
  subject: string;
  text: string;
  html?: string;
  /** Sent before mails that are not urgent. */
  urgent?: boolean;
  /** Deduplicates: a mail with an existing key is not queued again. */
  key: string;
}

/**
 * The mails that wait to be sent. They are rows, so that they exist exactly when the transaction that needs them
 * commits.
 */
export class MailQueue {
  constructor(private readonly clock: Clock) {}

  /**
   * Queues a mail. @returns false if one with its key exists. @throws Error (a programming error) for recipients or a
   * subject that cannot become headers.
   */
  async add(on: Queryable, { accountId, to, subject, text, html, urgent, key }: Mail): Promise<boolean> {
    const fault = mailFault({ to, subject });
    if (fault !== undefined) throw new Error(fault);
    const now = this.clock.now();
    const added = await on.query(
      `INSERT INTO mails (id, account_id, recipients, subject, text, html, urgent, key, created_at, next_attempt_at, traceparent)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10) ON CONFLICT (key) DO NOTHING RETURNING 1 AS one`,
      [newUuid(now), accountId, to, subject, text, html ?? null, urgent ?? false, key, now, currentTrace() ?? null],
    );
    return added.length > 0;
  }
}

/**
 * Deletes the unsent urgent mails of an account whose key has one of the prefixes, in the transaction that makes them
 * obsolete. A mail that is being sent may still arrive; it is not retried.
 */
export async function withdrawMails(on: Queryable, accountId: string, beginnings: readonly string[]): Promise<void> {
  await on.query(
    `DELETE FROM mails WHERE urgent AND next_attempt_at IS NOT NULL AND account_id = $1
       AND EXISTS (SELECT 1 FROM unnest($2::text[]) beginning WHERE starts_with(key, beginning))`,
    [accountId, beginnings],
  );
}
