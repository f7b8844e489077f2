import { AccountService } from '../../src/features/accounts/account.service.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { LogTransport } from '../../src/platform/mail/log-transport.js';
import { type Mail, MailQueue } from '../../src/platform/mail/mail-queue.js';
import { MailSender } from '../../src/platform/mail/mail-sender.js';
import { MailStore } from '../../src/platform/mail/mail-store.js';
import { type MailTransport } from '../../src/platform/mail/mail-transport.js';
import { smtpOptions, type SmtpPatience } from '../../src/platform/mail/smtp-options.js';
import { SmtpTransport } from '../../src/platform/mail/smtp-transport.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { PostOffice } from './post-office.js';

const FROM = { name: undefined, address: 'flows@sender.test' };

/** A database with the queue of mails, a real SMTP server, and as many senders as a test makes. */
export class MailWorld {
  readonly logs: string[] = [];
  private readonly senders: MailSender[] = [];

  private constructor(
    readonly server: TestServer,
    readonly office: PostOffice,
    readonly queue: MailQueue,
    readonly store: MailStore,
    private readonly accountId: string,
  ) {}

  /** The service runs without its worker, so that only the test's senders send. */
  static async open(): Promise<MailWorld> {
    const server = await startTestServer({ env: { ROLES: 'api' } });
    const { db, clock } = server;
    const accountId = await new AccountService(db, clock).findOrCreate(db, 'default');
    return new MailWorld(server, await PostOffice.open(), new MailQueue(clock), new MailStore(db, clock), accountId);
  }

  async close(): Promise<void> {
    await this.reset();
    await this.office.close();
    await this.server.close();
  }

  async reset(): Promise<void> {
    await Promise.all(this.senders.splice(0).map((sender) => sender.stop()));
    this.office.reset();
    this.logs.length = 0;
    await this.server.db.query('DELETE FROM mails');
  }

  /** What a process sends by; null: one without SMTP_URL. */
  sender(smtp: MailTransport | null = this.smtp()): MailSender {
    const { clock } = this.server;
    const logger = createLogger('debug', { write: (line: string) => void this.logs.push(line) });
    const sender = new MailSender({
      notes: true,
      store: this.store,
      clock,
      logger,
      smtp: smtp ?? undefined,
      log: new LogTransport(logger, FROM),
    });
    this.senders.push(sender);
    return sender;
  }

  smtp(patience?: SmtpPatience): SmtpTransport {
    return new SmtpTransport(smtpOptions(this.office.url, patience), FROM);
  }

  /** Queues a mail. @returns its key. */
  async mail(more: Partial<Mail> = {}): Promise<string> {
    const key = newUuid(this.server.clock.now());
    const mail = { accountId: this.accountId, to: ['ann@x.test'], subject: key, text: 'Hello', key, ...more };
    await this.queue.add(this.server.db, mail);
    return mail.key;
  }

  async row(key: string): Promise<Record<string, any>> {
    const [row] = await this.server.db.query('SELECT * FROM mails WHERE key = $1', [key]);
    return row!;
  }

  /** Lets a sender poll once, and waits until no mail is claimed. */
  async turn(sender: MailSender): Promise<void> {
    await sender.sendDue();
    await until(async () => {
      const [held] = await this.server.db.query('SELECT 1 FROM mails WHERE claim IS NOT NULL');
      return held === undefined;
    });
  }

  /** How long a mail waits for its next attempt, in seconds. */
  async waits(key: string): Promise<number> {
    const { next_attempt_at: at } = await this.row(key);
    return ((at as Date).getTime() - this.server.clock.now().getTime()) / 1_000;
  }

  /** The lines of the log with that message. */
  said(message: RegExp): Record<string, any>[] {
    return this.logs.map((line) => JSON.parse(line) as Record<string, any>).filter(({ msg }) => message.test(msg));
  }
}
