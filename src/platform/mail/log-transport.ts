import { type Logger } from '../logging/logger.js';
import { type Delivery, type MailTransport, type Outgoing, type Sender } from './mail-transport.js';

/** Writes whole mails to the log: without SMTP_URL, and for mails without a recipient. */
export class LogTransport implements MailTransport {
  constructor(
    private readonly logger: Logger,
    private readonly from: Sender,
  ) {}

  send({ uuid, recipients, subject, text }: Outgoing): Promise<Delivery> {
    const fields = { mail: uuid, from: this.from.address, to: recipients, subject, text };
    if (recipients.length === 0) {
      this.logger.warn(fields, 'mail: the account has no user and CONTACT_EMAIL is not set, so it is only logged');
    } else {
      this.logger.info(fields, 'mail: SMTP_URL is not set, so it is only logged');
    }
    return Promise.resolve({ deferred: [], refused: [], answer: undefined });
  }
}
