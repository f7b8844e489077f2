import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { type IntegrationNotices } from './integration-notices.js';

const EVERY_MS = 2_000;

/** The jobs that queue mails about connections. */
export function noticeJobs(notices: IntegrationNotices): PeriodicJob[] {
  return [
    {
      name: 'mail expiring integrations',
      what: 'Queues mails about connections that expire soon.',
      everyMs: EVERY_MS,
      run: () => notices.mailExpiring(),
    },
    {
      name: 'mail broken integrations',
      what: 'Queues mails about connections that broke.',
      everyMs: EVERY_MS,
      run: () => notices.mailBroken(),
    },
  ];
}
