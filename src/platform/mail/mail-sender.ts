import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../clock.js';
import { isDatabaseAway } from '../errors.js';
import { errorFields, type Logger } from '../logging/logger.js';
import { errorType, type Span, type Tracing } from '../tracing/span.js';
import { mailFault } from './mail-faults.js';
import { nextAttempt } from './mail-retry.js';
import { type MailEnd } from './mail-status.js';
import { type ClaimedMail, type MailStore } from './mail-store.js';
import { type Delivery, MailRefusedError, type MailTransport } from './mail-transport.js';

/** The maximum of mails that a process sends at once. */
const SLOTS = 5;
/** The timeout of one mail, in milliseconds: shorter than a claim. */
const SEND_MS = 150_000;
/** How often a mail is sent again after the death of the process that sent it without recording the outcome. */
const MAX_LOST = 1;
/** How long a stop waits for running mails before it closes their connections. */
const PATIENCE_MS = 2_000;
const NOTE_AGAIN_MS = 500;

/** The parts that a mail sender needs. */
export interface MailSenderDependencies {
  store: MailStore;
  clock: Clock;
  logger: Logger;
  /** Undefined without SMTP_URL. */
  smtp: MailTransport | undefined;
  log: MailTransport;
  tracing?: Tracing | undefined;
  /** True in one of the processes of a machine: it notes once that mails are only logged. */
  notes: boolean;
}

/** Sends due mails, a few at once; a failed mail is retried for three days. */
export class MailSender {
  /** Ended mails since the start of this process. */
  readonly counts: Record<MailEnd, number> = { sent: 0, logged: 0, refused: 0, given_up: 0 };
  private readonly underWay = new Set<Promise<void>>();
  /** One for each running mail. */
  private readonly cuts = new Set<AbortController>();
  private isCutOff = false;
  private claiming: Promise<void> | undefined;
  private stopped = false;
  private hasSpoken = false;
  /** Whether a mail failed since the last turn: then thousands are not tried at full speed. */
  private isStruggling = false;

  constructor(private readonly deps: MailSenderDependencies) {}

  /** Starts to send as many due mails as slots are free, and more whenever one ends. Resolves once they are started. */
  async sendDue(): Promise<void> {
    if (!this.hasSpoken && this.deps.notes && this.deps.smtp === undefined) {
      this.deps.logger.info('mail: SMTP_URL is not set: each mail is written to this log');
    }
    this.hasSpoken = true;
    this.isStruggling = false;
    await this.takeUp();
  }

  /** Starts no more mails. Running ones have 2 s; then they are aborted and retried later. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.claiming?.catch(() => undefined);
    const timer = setTimeout(() => this.cutOff(), PATIENCE_MS);
    await Promise.all(this.underWay);
    clearTimeout(timer);
  }

  private cutOff(): void {
    this.isCutOff = true;
    this.cuts.forEach((cut) => cut.abort());
  }

  private async takeUp(): Promise<void> {
    await (this.claiming ??= this.claim().finally(() => (this.claiming = undefined)));
  }

  private async claim(): Promise<void> {
    const free = SLOTS - this.underWay.size;
    if (this.stopped || free === 0) return;
    const mails = await this.deps.store.claim(free);
    for (const mail of mails) {
      const work = this.deliver(mail)
        .catch((error: unknown) => this.deps.logger.warn(errorFields(error), 'mail: the outcome could not be recorded'))
        .finally(() => {
          this.underWay.delete(work);
          // Also after fewer mails than free slots: another process may have locked those of the same accounts.
          if (!this.isStruggling) void this.takeUp().catch(() => undefined);
        });
      this.underWay.add(work);
    }
  }

  private async deliver(mail: ClaimedMail): Promise<void> {
    const fault = mailFault({ to: mail.recipients, subject: mail.subject });
    if (fault !== undefined) return this.end(mail, 'refused', fault);
    if (mail.lost > MAX_LOST) return this.end(mail, 'given_up', 'Two processes died while sending it.');
    const transport = mail.recipients.length === 0 ? this.deps.log : (this.deps.smtp ?? this.deps.log);
    const outcome = await this.send(mail, transport);
    if (outcome instanceof MailRefusedError) return this.end(mail, 'refused', outcome.message);
    if (outcome instanceof Error) return this.later(mail, mail.outstanding, outcome.message);
    const { deferred, refused, answer } = outcome;
    if (refused.length > 0) this.warn(mail, answer, 'mail: refused for some recipients');
    if (deferred.length > 0) return this.later(mail, deferred, answer ?? 'deferred');
    await this.end(mail, transport === this.deps.log ? 'logged' : 'sent', answer);
  }

  private async send(mail: ClaimedMail, transport: MailTransport): Promise<Delivery | Error> {
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(), SEND_MS);
    this.cuts.add(cut);
    const span = this.spanOf(mail);
    try {
      return await transport.send(mail, cut.signal);
    } catch (error) {
      span?.fail(errorType(error));
      return error instanceof Error ? error : new Error('unknown', { cause: error });
    } finally {
      clearTimeout(timer);
      this.cuts.delete(cut);
      span?.end();
    }
  }

  /** A part of the trace in which the mail was queued. Recipients and subject are data of people. */
  private spanOf({ traceparent, attempts }: ClaimedMail): Span | undefined {
    if (traceparent === null) return undefined;
    const attributes = { 'workflow_gateway.mail.attempt': attempts };
    return this.deps.tracing?.begin('mail', 'client', { parent: traceparent, attributes });
  }

  private async later(mail: ClaimedMail, outstanding: readonly string[], problem: string): Promise<void> {
    const at = nextAttempt(mail.createdAt, mail.attempts, this.deps.clock.now());
    if (at === undefined) return this.end(mail, 'given_up', problem);
    this.isStruggling = true;
    this.warn(mail, problem, 'mail: not sent, will be retried');
    await this.note(mail, () => this.deps.store.later(mail, at, outstanding, problem));
  }

  private async end(mail: ClaimedMail, status: MailEnd, problem?: string): Promise<void> {
    const isOurs = await this.note(mail, () => this.deps.store.end(mail, status, problem));
    if (isOurs) this.counts[status] += 1;
    if (status !== 'refused' && status !== 'given_up') return;
    const { uuid, attempts } = mail;
    this.deps.logger.error({ mail: uuid, attempts, status, problem }, 'mail: will not be sent');
  }

  /** Retries for a while: a mail whose outcome is not recorded would be sent again. */
  private async note(mail: ClaimedMail, write: () => Promise<boolean>): Promise<boolean> {
    for (const deadline = performance.now() + SEND_MS; ;) {
      try {
        const isOurs = await write();
        if (!isOurs) this.warn(mail, undefined, 'mail: withdrawn, or claimed by another process');
        return isOurs;
      } catch (error) {
        if (this.isCutOff || !isDatabaseAway(error) || performance.now() > deadline) throw error;
        await sleep(NOTE_AGAIN_MS);
      }
    }
  }

  private warn({ uuid, attempts }: ClaimedMail, problem: string | undefined, message: string): void {
    this.deps.logger.warn({ mail: uuid, attempts, problem }, message);
  }
}
