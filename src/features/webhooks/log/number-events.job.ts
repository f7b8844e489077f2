import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { type EventNumbering } from './event-numbering.js';

/** Numbers committed events, four times a second. */
export function numberEventsJob(numbering: EventNumbering): PeriodicJob {
  return {
    name: 'number events',
    what: 'Gives committed events their place in the log of their account, by which clients read them.',
    everyMs: 250,
    run: async () => {
      await numbering.run();
      await numbering.tidy();
    },
  };
}
