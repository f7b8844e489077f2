import { type Database, type Queryable } from '../db/database.js';
import { type Mail, type MailQueue } from './mail-queue.js';

/** The day in UTC, by the clock of the database: all processes agree on it. */
const TODAY = `(clock_now() AT TIME ZONE 'UTC')::date`;

/** Mails of steps, limited by account and day; a mail counts once for each recipient. */
export class StepMails {
  constructor(
    private readonly db: Database,
    private readonly mails: MailQueue,
    private readonly limit: number,
  ) {}

  /**
   * Queues and counts a mail in one transaction. A mail with a known key is neither queued nor counted again: its step
   * was executed before its process died. @returns the reason, for people, when the limit is reached; undefined for a
   * queued mail.
   */
  async queue(mail: Mail): Promise<string | undefined> {
    return this.db.transaction(async (tx) => {
      const known = await tx.query(`SELECT 1 AS one FROM mails WHERE key = $1`, [mail.key]);
      return known.length > 0 ? undefined : this.add(tx, mail.accountId, [mail]);
    });
  }

  /**
   * Queues and counts mails of an account in the caller's transaction: all of them, or none. @returns as `queue` does.
   */
  async add(tx: Queryable, accountId: string, mails: readonly Mail[]): Promise<string | undefined> {
    const recipients = mails.reduce((sum, { to }) => sum + to.length, 0);
    if (!(await this.count(tx, accountId, recipients))) return this.refusal();
    for (const mail of mails) await this.mails.add(tx, mail);
    return undefined;
  }

  private async count(tx: Queryable, accountId: string, more: number): Promise<boolean> {
    const counted = await tx.query(
      `INSERT INTO mail_counts AS c (account_id, day, total) SELECT $1, ${TODAY}, $2::integer WHERE $2::integer <= $3::integer
       ON CONFLICT (account_id) DO UPDATE SET day = EXCLUDED.day,
         total = EXCLUDED.total + CASE WHEN c.day = EXCLUDED.day THEN c.total ELSE 0 END
       WHERE EXCLUDED.total + CASE WHEN c.day = EXCLUDED.day THEN c.total ELSE 0 END <= $3::integer
       RETURNING 1 AS one`,
      [accountId, more, this.limit],
    );
    return counted.length > 0;
  }

  private refusal(): string {
    return `The steps of an account may mail ${this.limit} recipients a day, and this mail is beyond that. The day ends at 00:00 UTC.`;
  }
}
