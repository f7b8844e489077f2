import { type PeriodicJob } from '../jobs/periodic.js';
import { type MailSender } from './mail-sender.js';
import { type MailStore } from './mail-store.js';

/** The jobs that send mails and delete old ones. */
export function mailJobs(sender: MailSender, store: MailStore): PeriodicJob[] {
  return [
    {
      name: 'send mails',
      what: 'Sends queued mails that are due.',
      everyMs: 1_000,
      run: () => sender.sendDue(),
    },
    {
      name: 'prune mails',
      what: 'Deletes ended mails 30 days after they were queued.',
      everyMs: 3_600_000,
      run: (signal) => store.prune(signal),
    },
  ];
}
