import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { fanOutBatch, waitingAccounts } from './fan-outs.js';

export interface FanOutDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
  logger: Logger;
}

/**
 * Makes the runs that are left of events which fire many triggers. Accounts take turns, a batch each, so that one with
 * much to do holds up no other. Any number of processes may do it at once.
 */
export function fanOutJob(deps: FanOutDependencies): PeriodicJob {
  return {
    name: 'fan events out',
    everyMs: 1_000,
    run: async (signal) => {
      while (signal?.aborted !== true && (await round(deps, signal)));
    },
  };
}

/** @returns whether anything was done. */
async function round(deps: FanOutDependencies, signal: AbortSignal | undefined): Promise<boolean> {
  let isDone = false;
  for (const account of await waitingAccounts(deps.db)) {
    if (signal?.aborted === true) break;
    isDone = (await batch(deps, account)) || isDone;
  }
  return isDone;
}

/** What fails is tried again later, and keeps no other account waiting: another session may hold a workflow. */
async function batch(deps: FanOutDependencies, account: string): Promise<boolean> {
  try {
    return await fanOutBatch(deps, account);
  } catch (error) {
    deps.logger.warn({ account, ...errorFields(error) }, 'events: runs could not be made');
    return false;
  }
}
