/** The sender of mails. */
export interface Sender {
  name: string | undefined;
  address: string;
}

/** A mail that is being sent. */
export interface Outgoing {
  uuid: string;
  /** All recipients, as in the header. */
  recipients: readonly string[];
  /** The recipients that have not received it. */
  outstanding: readonly string[];
  subject: string;
  text: string;
  html: string | null;
  createdAt: Date;
}

/** The result for a mail that at least one recipient received. */
export interface Delivery {
  /** Recipients refused temporarily. */
  deferred: readonly string[];
  /** Recipients refused permanently. */
  refused: readonly string[];
  /** The server's reply about refused recipients; undefined without any. */
  answer: string | undefined;
}

/** Sends mails: over SMTP, or to the log. */
export interface MailTransport {
  /** @throws MailRefusedError when a retry cannot succeed; after any other error it may. */
  send(mail: Outgoing, signal: AbortSignal): Promise<Delivery>;
}

/** The mail itself was refused permanently; the message is the server's reply. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}
