import { createTransport } from 'nodemailer';
import { type SMTPTransportOptions } from 'nodemailer/lib/smtp-transport';
import { type Delivery, MailRefusedError, type MailTransport, type Outgoing, type Sender } from './mail-transport.js';

const MAX_ANSWER = 500;
/**
 * A refusal in these phases concerns the mail; an earlier one concerns the service's access, which its operator can
 * correct.
 */
const ABOUT_THE_MAIL = /^(MAIL FROM|RCPT TO|DATA|API)$/;
/** Errors by which nodemailer itself refuses a message: too large, or an address that SMTP cannot express. */
const OWN_REFUSALS = new Set(['EMESSAGE', 'EENVELOPE']);

/** The fields of an error of nodemailer that are read. */
interface SmtpError {
  message: string;
  code?: string | undefined;
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
  permanent?: boolean | undefined;
  recipient?: string | undefined;
  rejectedErrors?: SmtpError[] | undefined;
}

/** Sends over SMTP with one connection per mail: a pool would resend a mail that may have arrived. */
export class SmtpTransport implements MailTransport {
  private readonly transporter;

  constructor(
    options: SMTPTransportOptions,
    private readonly from: Sender,
  ) {
    this.transporter = createTransport({ ...options, disableFileAccess: true, disableUrlAccess: true });
  }

  /** Connects and signs in, without a mail. @throws Error with the server's reason. */
  async verify(): Promise<void> {
    await this.transporter.verify();
  }

  async send(mail: Outgoing, signal: AbortSignal): Promise<Delivery> {
    const { name, address } = this.from;
    try {
      const { rejectedErrors = [] } = await this.transporter.sendMail({
        // Address objects: a string would be parsed, and could name another recipient.
        from: { name: name ?? '', address },
        to: mail.recipients.map((recipient) => ({ name: '', address: recipient })),
        envelope: { from: address, to: [...mail.outstanding] },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html !== null && { html: mail.html }),
        // The same at each attempt, so that a duplicate can be recognised.
        messageId: `<${mail.uuid}@${address.slice(address.lastIndexOf('@') + 1)}>`,
        date: mail.createdAt,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      });
      return deliveryOf(rejectedErrors);
    } catch (error) {
      throw outcomeOf(error as SmtpError);
    }
  }
}

function deliveryOf(rejections: readonly SmtpError[]): Delivery {
  const to = (permanent: boolean): string[] =>
    rejections.filter((rejection) => (rejection.permanent === true) === permanent).map(({ recipient }) => recipient!);
  return { deferred: to(false), refused: to(true), answer: rejections[0] && answerOf(rejections[0]) };
}

function outcomeOf(error: SmtpError): unknown {
  const isAboutTheMail = ABOUT_THE_MAIL.test(error.command ?? '');
  const isPermanent = error.permanent ?? OWN_REFUSALS.has(error.code ?? '');
  return isAboutTheMail && isPermanent ? new MailRefusedError(answerOf(error), { cause: error }) : error;
}

/** The server's reply, else the error message. */
function answerOf({ response, message }: SmtpError): string {
  return (response ?? message).slice(0, MAX_ANSWER);
}
