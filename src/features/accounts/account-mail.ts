import { type Queryable } from '../../platform/db/database.js';
import { type Mail, type MailQueue } from '../../platform/mail/mail-queue.js';

/** Recipients of one mail: most mail servers refuse more. */
const MAX_RECIPIENTS = 50;

/**
 * Sends mails about an account to its users. If it has none, they go to the operator's CONTACT_EMAIL. Without that
 * setting a mail has no recipient: the sender writes it to the log with a warning.
 */
export class AccountMail {
  constructor(
    private readonly mails: MailQueue,
    private readonly contact: string | undefined,
  ) {}

  /** Queues a mail in the transaction of `on`. A second mail with the same key is ignored. */
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
