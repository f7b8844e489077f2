/** Who mails are from. */
export interface Sender {
  name: string | undefined;
  address: string;
}

/** A mail on its way. */
export interface Outgoing {
  uuid: string;
  /** Everybody it is written to, as the header says. */
  recipients: readonly string[];
  /** Who has yet to get it. */
  outstanding: readonly string[];
  subject: string;
  text: string;
  html: string | null;
  createdAt: Date;
}

/** What became of a mail that at least one recipient got. */
export interface Delivery {
  /** Who may get it another time. */
  deferred: readonly string[];
  /** Who never will. */
  refused: readonly string[];
  /** What was said about those; undefined where there are none. */
  answer: string | undefined;
}

/** Carries mails out of the service. */
export interface MailTransport {
  /** @throws MailRefusedError when trying again is in vain; any other error: it may work later. */
  send(mail: Outgoing, signal: AbortSignal): Promise<Delivery>;
}

/** The mail itself was refused for good; the message is the answer of the server. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}
