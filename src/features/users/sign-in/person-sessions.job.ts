import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { prune } from '../../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';

/** Deletes what has expired and nothing depends on. */
export function pruneUserSessionsJob(db: Database, clock: Clock): PeriodicJob {
  return {
    name: 'prune user sessions',
    what: 'Deletes expired sessions of users, invitations, reset links and used challenges of passkeys.',
    everyMs: 3_600_000,
    run: async (signal) => {
      for (const table of ['user_sessions', 'invitations', 'password_resets', 'spent_challenges']) {
        await prune(db, signal, { table, column: 'expires_at', until: clock.now() });
      }
    },
  };
}
