import { createTransport } from 'nodemailer';
import { type SMTPTransportOptions } from 'nodemailer/lib/smtp-transport';
import { type Delivery, MailRefusedError, type MailTransport, type Outgoing, type Sender } from './mail-transport.js';

const MAX_ANSWER = 500;
/** What is refused in these phases is the mail; what is refused before is our access, which its operator can mend. */
const ABOUT_THE_MAIL = /^(MAIL FROM|RCPT TO|DATA|API)$/;
/** Nodemailer found out by itself that the message can't be sent: too large, or an address that can't be said. */
const OWN_REFUSALS = new Set(['EMESSAGE', 'EENVELOPE']);

/** What is read of an error of nodemailer. */
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

/** Sends over SMTP, a connection for each mail: a pool would send again by itself what may have arrived. */
export class SmtpTransport implements MailTransport {
  private readonly transporter;

  constructor(
    options: SMTPTransportOptions,
    private readonly from: Sender,
  ) {
    this.transporter = createTransport({ ...options, disableFileAccess: true, disableUrlAccess: true });
  }

  async send(mail: Outgoing, signal: AbortSignal): Promise<Delivery> {
    const { name, address } = this.from;
    try {
      const { rejectedErrors = [] } = await this.transporter.sendMail({
        // Address objects: a text would be parsed, and what stands in it could name somebody else.
        from: { name: name ?? '', address },
        to: mail.recipients.map((recipient) => ({ name: '', address: recipient })),
        envelope: { from: address, to: [...mail.outstanding] },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html !== null && { html: mail.html }),
        // The same each time, so that who gets it twice can tell.
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

/** What the server said, else what happened. */
function answerOf({ response, message }: SmtpError): string {
  return (response ?? message).slice(0, MAX_ANSWER);
}
