import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { fanOutBatch, waitingAccounts } from './fan-outs.js';

/** What the job needs. */
export interface FanOutDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
  logger: Logger;
}

/**
 * Creates the remaining runs of events that fire many triggers. Accounts take turns, a batch each, so that none delays
 * another. Processes may run it concurrently.
 */
export function fanOutJob(deps: FanOutDependencies): PeriodicJob {
  return {
    name: 'fan events out',
    what: 'Fires the remaining triggers of an event that has more triggers than its request fires.',
    everyMs: 1_000,
    run: async (signal) => {
      while (signal?.aborted !== true && (await round(deps, signal)));
    },
  };
}

/** Runs one batch per account. @returns whether any run was created. */
async function round(deps: FanOutDependencies, signal: AbortSignal | undefined): Promise<boolean> {
  let isDone = false;
  for (const account of await waitingAccounts(deps.db)) {
    if (signal?.aborted === true) break;
    isDone = (await batch(deps, account)) || isDone;
  }
  return isDone;
}

/** A failed batch is retried later and does not delay other accounts: another session may have locked a workflow. */
async function batch(deps: FanOutDependencies, account: string): Promise<boolean> {
  try {
    return await fanOutBatch(deps, account);
  } catch (error) {
    deps.logger.warn({ account, ...errorFields(error) }, 'events: runs could not be created');
    return false;
  }
}
