import { type Queryable } from '../db/database.js';
import { type Mail, type MailQueue } from '../mail/mail-queue.js';

/**
 * Mails about an account. They go to its users; no account has any yet, so they go to the operator's CONTACT_EMAIL, and
 * without that to nobody: the sender writes them to the log with a warning.
 */
export class AccountMail {
  constructor(
    private readonly mails: MailQueue,
    private readonly contact: string | undefined,
  ) {}

  /** Queues a mail with the transaction; another one with its key does nothing. */
  async add(on: Queryable, mail: Omit<Mail, 'to'>): Promise<void> {
    await this.mails.add(on, { urgent: true, ...mail, to: this.contact === undefined ? [] : [this.contact] });
  }
}
