import 'reflect-metadata';
import { recordRestore } from '../../features/accounts/record-restore.js';
import { tryOpenings } from '../../features/encryption/openings.js';
import { RUN_QUEUE, RunQueue } from '../../features/runs/queue/run-queue.js';
import { ensurePartitions } from '../../platform/partitions/weekly-partitions.js';
import { forgetNotices } from '../../features/runs/failures/forget-notices.js';
import { missGap } from '../../features/triggers/schedules/miss-gap.js';
import { failUnsent } from '../../features/webhooks/operator/fail-unsent.js';
import { type Manifest } from '../../platform/backup/manifest.js';
import { asCommand } from '../../platform/admission/origin.js';
import { systemClock } from '../../platform/clock.js';
import { createDataSource } from '../../platform/db/data-source.js';
import { Database } from '../../platform/db/database.js';
import { migrate } from '../../platform/db/migrate.js';
import { migrations } from '../../platform/db/migrations/index.js';
import { Secrets } from '../../platform/encryption/secrets.js';
import { JobQueues } from '../../platform/jobs/job-queue.js';
import { createLogger } from '../../platform/logging/logger.js';
import { giveUpUnsent } from '../../platform/mail/give-up-unsent.js';
import { Notifications } from '../../platform/notifications/notifications.js';
import { entities } from '../entities.js';

/** What a restore changed in the copy. */
export interface Settled {
  /** Deliveries of outbound webhooks that are not sent. */
  deliveries: number;
  mails: number;
  /** Schedules with ticks in the gap, which count as missed. */
  schedules: number;
  /** Sealed values of a sample that the keys don't open. */
  unreadable: number;
}

/** Of statements over whole tables, in milliseconds. */
const PATIENCE = 3_600_000;

/**
 * Makes a restored database safe to start on: brings its schema up to date, refuses keys that open nothing, and ends what
 * the original may have done since the backup. No service runs on it yet.
 */
export async function settleRestored(
  url: string,
  { keys, manifest }: { keys: readonly Buffer[]; manifest: Manifest },
): Promise<Settled> {
  await migrate({ url, migrations, isLoading: true });
  const source = createDataSource({ url, poolSize: 2, patience: PATIENCE }, entities);
  await source.initialize();
  try {
    const db = new Database(source, PATIENCE);
    const { opened, unreadable } = await tryOpenings(db, new Secrets(keys));
    if (opened === 0 && unreadable > 0)
      throw new Error(
        'The encryption key opens no sealed value of the backup: set ENCRYPTION_KEY to the key of the original.',
      );
    const now = systemClock.now();
    await ensurePartitions(db, now);
    const schedules = await missGap(db, runQueueOn(url, db), now);
    const reason = `Not sent: the database was restored from a backup of ${manifest.time}.`;
    const unsent = await db.transaction(async (tx) => {
      await asCommand('restore', () => recordRestore(tx, now, manifest.time));
      const mails = (await giveUpUnsent(tx, now, reason)) + (await forgetNotices(tx));
      return { deliveries: await failUnsent(tx, now, reason), mails };
    });
    return { ...unsent, schedules, unreadable };
  } finally {
    await source.destroy();
  }
}

/** Only for runs that are skipped: nothing is queued, and nothing listens. */
function runQueueOn(url: string, db: Database): RunQueue {
  const logger = createLogger('silent');
  const queues = new JobQueues(url, [RUN_QUEUE], logger, { isWorker: false });
  return new RunQueue(queues, new Notifications(url, logger), db, systemClock);
}
