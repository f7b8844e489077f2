import { type Database } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { WorkRows } from '../../../platform/jobs/work-rows.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { type ConnectionAnswers } from './connection-answers.js';
import { type Owned } from './lock-connections.js';

/** Answers the waits that the transaction of their connection has left. */
export function connectionAnswersJob(db: Database, logger: Logger, answers: ConnectionAnswers): PeriodicJob {
  const rows = new WorkRows<Owned>(db, logger, {
    table: 'connection_answers',
    columns: 'account_id AS "accountId", integration_type AS type, reference',
    work: (tx, left) => answers.answerNext(tx, left),
    failure: 'waits: the answers of a connection could not be stored',
  });
  return {
    name: 'answer waits of connections',
    what: 'Continues further runs that waited for a connection, in batches of 500.',
    everyMs: 1_000,
    run: (signal) => rows.run(signal),
  };
}
