import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { prune } from '../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';

/** Deletes expired codes and tokens. */
export function pruneSandboxGrantsJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune sandbox grants',
    what: 'Deletes expired codes and tokens of the sandbox.',
    everyMs: 3_600_000,
    run: (signal) => prune(db, signal, { table: 'sandbox_grants', column: 'expires_at', until: clock.now() }),
  };
}
