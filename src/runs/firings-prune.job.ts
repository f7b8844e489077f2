import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { type PeriodicJob } from '../jobs/periodic.js';
import { firingsEnd } from './firings.js';

const HOUR_MS = 3_600_000;
const BATCH = 5_000;

/** Forgets firings after 30 days, in batches that hold no lock for long. */
export function pruneFiringsJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune firings',
    everyMs: HOUR_MS,
    run: async () => {
      let pruned: number;
      do {
        const rows = await db.query(
          `DELETE FROM firings WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM firings WHERE created_at <= $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
          [firingsEnd(clock.now())],
        );
        pruned = rows.length;
      } while (pruned === BATCH);
    },
  };
}
