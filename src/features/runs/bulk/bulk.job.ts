import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { prune } from '../../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { type BulkBatches } from './bulk-batches.js';

const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;

/** Executes bulk operations, and deletes ended ones after 30 days. */
export function bulkJobs(db: Database, clock: Clock, batches: BulkBatches): PeriodicJob[] {
  const until = (): Date => new Date(clock.now().getTime() - KEPT_MS);
  return [
    {
      name: 'execute bulk operations',
      what: 'Retries and cancels the runs of bulk operations.',
      everyMs: 1_000,
      run: (signal) => batches.run(signal),
    },
    {
      name: 'prune bulk operations',
      what: 'Deletes bulk operations that were requested 30 days ago, with their changes.',
      everyMs: HOUR_MS,
      run: async (signal) => {
        const ended = { table: 'bulk_operations', column: 'created_at', until: until(), where: `status <> 'running'` };
        await prune(db, signal, ended);
        await prune(db, signal, { table: 'bulk_changes', column: 'created_at', until: until(), where: IS_GONE });
      },
    },
  ];
}

/** A listener begins with the latest change of an operation that is still there. */
const IS_GONE = 'NOT EXISTS (SELECT 1 FROM bulk_operations b WHERE b.id = bulk_changes.bulk_id)';
