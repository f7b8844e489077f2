import { type Feature } from '../feature.js';
import { type Platform } from '../platform.js';
import { LogTransport } from './log-transport.js';
import { MailQueue } from './mail-queue.js';
import { MailSender } from './mail-sender.js';
import { MailStore } from './mail-store.js';
import { mailJobs } from './mails.job.js';
import { StepMails } from './step-mails.js';

interface Mailing {
  queue: MailQueue;
  ofSteps: StepMails;
}

/** `queue` accepts mails in transactions, `ofSteps` those of actions; processes of the worker role send them. */
export function wireMail({ config, db, clock, logger, smtp, siblings, tracing }: Platform): Feature & Mailing {
  const queue = new MailQueue(clock);
  const log = new LogTransport(logger, config.mail.from);
  const store = new MailStore(db, clock);
  const sender = new MailSender({ store, clock, logger, smtp, log, tracing, notes: siblings?.isFirst !== false });
  return {
    queue,
    ofSteps: new StepMails(db, queue, config.mail.limit),
    jobs: mailJobs(sender, store),
    metrics: {
      mails_sent: { over: 'kept', help: 'Mails that this process has sent.', read: () => sender.counts.sent },
      mails_failed: {
        over: 'kept',
        help: 'Mails that were permanently refused, or given up by this process.',
        read: () => sender.counts.refused + sender.counts.given_up,
      },
    },
    stop: () => sender.stop(),
  };
}
