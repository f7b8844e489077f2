import { type Queryable } from '../../platform/db/database.js';
import { type Mail, type MailQueue } from '../../platform/mail/mail-queue.js';

/** Recipients of one mail: many mail servers refuse more. */
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

  /**
   * Queues a mail to all users in the transaction of `on`, one for each fifty of them. A second mail with the same key is
   * ignored.
   */
  async add(on: Queryable, mail: Omit<Mail, 'to'>): Promise<void> {
    const users = await on.query<{ email: string }>(`SELECT email FROM users WHERE account_id = $1 ORDER BY id`, [
      mail.accountId,
    ]);
    if (users.length === 0) return this.addToContact(on, mail);
    for (let from = 0; from < users.length; from += MAX_RECIPIENTS) {
      const to = users.slice(from, from + MAX_RECIPIENTS).map(({ email }) => email);
      const key = from === 0 ? mail.key : `${mail.key} part ${from / MAX_RECIPIENTS + 1}`;
      const isNew = await this.mails.add(on, { urgent: true, ...mail, to, key });
      if (!isNew) return;
    }
  }

  /** Queues a mail to the operator, whether or not the account has users: for what concerns other accounts, too. */
  async addToContact(on: Queryable, mail: Omit<Mail, 'to'>): Promise<void> {
    await this.mails.add(on, { urgent: true, ...mail, to: this.contact === undefined ? [] : [this.contact] });
  }
}
