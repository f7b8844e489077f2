import { type Queryable } from '../../platform/db/database.js';
import { type Mail, type MailQueue } from '../../platform/mail/mail-queue.js';

/** The most users who are written to: a mail with more recipients would be refused by most post offices. */
const MAX_RECIPIENTS = 50;

/**
 * Mails about an account. They go to its users, those of an account without users to the operator's CONTACT_EMAIL, and
 * without that to nobody: the sender writes them to the log with a warning.
 */
export class AccountMail {
  constructor(
    private readonly mails: MailQueue,
    private readonly contact: string | undefined,
  ) {}

  /** Queues a mail with the transaction; another one with its key does nothing. */
  async add(on: Queryable, mail: Omit<Mail, 'to'>): Promise<void> {
    const users = await on.query<{ email: string }>(
      `SELECT email FROM users WHERE account_id = $1 ORDER BY id LIMIT ${MAX_RECIPIENTS}`,
      [mail.accountId],
    );
    const contacts = this.contact === undefined ? [] : [this.contact];
    await this.mails.add(on, {
      urgent: true,
      ...mail,
      to: users.length > 0 ? users.map(({ email }) => email) : contacts,
    });
  }
}
