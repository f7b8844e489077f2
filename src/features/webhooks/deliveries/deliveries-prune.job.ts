import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { prune } from '../../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { KEPT_DAYS } from '../record-events.js';

const HOUR_MS = 3_600_000;

/** Deletes deliveries and their events after 30 days, and secrets that no longer sign. */
export function pruneDeliveriesJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune webhook deliveries',
    what: 'Deletes webhook deliveries and their events after 30 days, and former secrets that no longer sign.',
    everyMs: HOUR_MS,
    run: async (signal) => {
      const now = clock.now();
      const until = new Date(now.getTime() - KEPT_DAYS * 24 * HOUR_MS);
      await prune(db, signal, { table: 'webhook_deliveries', column: 'created_at', until });
      // An event is kept longer if it was delivered again.
      await prune(db, signal, { table: 'webhook_events', column: 'keep_until', until: now });
      await prune(db, signal, { table: 'former_webhook_secrets', column: 'until', until: now });
    },
  };
}
