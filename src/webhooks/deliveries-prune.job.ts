import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { type PeriodicJob } from '../jobs/periodic.js';
import { KEPT_DAYS } from './record-events.js';

const HOUR_MS = 3_600_000;
const BATCH = 2_000;

const STATEMENTS = [
  `DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY (
     SELECT ctid FROM webhook_deliveries WHERE created_at <= $1::timestamptz - interval '${KEPT_DAYS} days'
     LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
  // Repeated deliveries have moved the end of theirs on.
  `DELETE FROM webhook_events WHERE ctid = ANY (ARRAY (
     SELECT ctid FROM webhook_events WHERE keep_until <= $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
];

/** Forgets deliveries and their events after 30 days, in batches that hold no lock for long. */
export function pruneDeliveriesJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune webhook deliveries',
    everyMs: HOUR_MS,
    run: async () => {
      for (const statement of STATEMENTS) {
        while ((await db.query(statement, [clock.now()])).length === BATCH);
      }
    },
  };
}
