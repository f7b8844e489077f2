import { type Clock } from '../clock.js';
import { type Queryable } from '../db/database.js';
import { newUuid } from '../ids/ids.js';
import { mailFault } from './mail-faults.js';

/** A mail of plain text, perhaps with the same as HTML. */
export interface Mail {
  accountId: string;
  /** Addresses without names, each judged before. */
  to: readonly string[];
  subject: string;
  text: string;
  html?: string;
  /** Sent before those that are not. */
  urgent?: boolean;
  /** Makes it exist once: a mail with the key of another one is not queued again. */
  key: string;
}

/** Mails that wait to be sent. They are rows, so that they exist exactly when the transaction that needs them commits. */
export class MailQueue {
  constructor(private readonly clock: Clock) {}

  /** @throws Error (ours to mend) for recipients or a subject that can't stand in a header. */
  async add(on: Queryable, { accountId, to, subject, text, html, urgent, key }: Mail): Promise<void> {
    const fault = mailFault({ to, subject });
    if (fault !== undefined) throw new Error(fault);
    const now = this.clock.now();
    await on.query(
      `INSERT INTO mails (id, account_id, recipients, subject, text, html, urgent, key, created_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) ON CONFLICT (key) DO NOTHING`,
      [newUuid(now), accountId, to, subject, text, html ?? null, urgent ?? false, key, now],
    );
  }
}

/**
 * Takes back the urgent mails of an account that have not gone out and whose key begins so, with the transaction that
 * makes them stale. One that is just being sent may still arrive; it is not tried again.
 */
export async function withdrawMails(on: Queryable, accountId: string, beginnings: readonly string[]): Promise<void> {
  await on.query(
    `DELETE FROM mails WHERE urgent AND next_attempt_at IS NOT NULL AND account_id = $1
       AND EXISTS (SELECT 1 FROM unnest($2::text[]) beginning WHERE starts_with(key, beginning))`,
    [accountId, beginnings],
  );
}
