import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { type ConnectionAnswers } from './connection-answers.js';

/** Answers the waits that the transaction of their connection has left. */
export function connectionAnswersJob(answers: ConnectionAnswers): PeriodicJob {
  return {
    name: 'answer waits of connections',
    what: 'Continues further runs that waited for a connection, in batches of 500.',
    everyMs: 1_000,
    run: async (signal) => {
      while (signal?.aborted !== true && (await answers.continue()));
    },
  };
}
