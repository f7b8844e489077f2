import { keyUsage } from '../../features/encryption/key-usage.js';
import { RUN_QUEUE } from '../../features/runs/queue/run-queue.js';
import { partitionsEnd } from '../../platform/partitions/weekly-partitions.js';
import { overdueDeliveries } from '../../features/webhooks/operator/overdue-deliveries.js';
import { systemClock } from '../../platform/clock.js';
import { type LoadedConfig } from '../../platform/config/config.js';
import { clockAhead } from '../../platform/db/clock-ahead.js';
import { type Database } from '../../platform/db/database.js';
import { migrations } from '../../platform/db/migrations/index.js';
import { schemaMinimum } from '../../platform/db/migrating/schema-minimum.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { JobQueues } from '../../platform/jobs/job-queue.js';
import { createLogger } from '../../platform/logging/logger.js';
import { overdueMails } from '../../platform/mail/overdue-mails.js';
import { smtpOptions } from '../../platform/mail/smtp-options.js';
import { SmtpTransport } from '../../platform/mail/smtp-transport.js';
import { failed, ok, type Result, warning } from './finding.js';

const WEEK_MS = 7 * 86_400_000;
/** Work that waits longer than this, in seconds, is not kept up with. */
const LATE_SECONDS = 300;

/** Compares the schema with the migrations of this version. */
export async function schema(db: Database): Promise<Result> {
  const rows = await db.query<{ name: string }>(`SELECT name FROM migrations`);
  const had = new Set(rows.map(({ name }) => name));
  const known = new Set(migrations.map(({ name }) => name));
  const newer = [...had].filter((name) => !known.has(name));
  if (newer.length > 0) {
    const message = `A newer version has changed the schema: ${newer.join(', ')}`;
    const minimum = await schemaMinimum((text) => db.query(text));
    const isAllowed = minimum === undefined || known.has(minimum.migration);
    return isAllowed
      ? warning(`${message}. This version still works with it`, 'Finish the upgrade: run that version of the service.')
      : failed(message, 'Run that version of the service.');
  }
  const pending = [...known].filter((name) => !had.has(name)).length;
  if (pending > 0) return warning(`${pending} migrations are pending`, 'Start the service: it executes them.');
  return ok('The schema is up to date');
}

/** The weekly partitions ahead. */
export async function partitions(db: Database): Promise<Result> {
  const weeks = Math.floor((Math.min(...(await partitionsEnd(db))) - systemClock.now().getTime()) / WEEK_MS);
  const message = `The weekly partitions exist for ${Math.max(weeks, 0)} weeks ahead`;
  const remedy = 'Start a process with the role worker, and look for “create run partitions” in its log.';
  if (weeks < 1) return failed(message, remedy);
  return weeks < 4 ? warning(message, remedy) : ok(message);
}

/** Compares the clock of this machine with the database's. */
export async function clock(db: Database): Promise<Result> {
  const ahead = Math.round(await clockAhead(db, systemClock));
  const message = `The clock of this machine is ${Math.abs(ahead)} ms ${ahead < 0 ? 'behind' : 'ahead of'} the database's`;
  const remedy = 'Synchronise both machines by NTP.';
  if (Math.abs(ahead) > 30_000) return failed(message, remedy);
  return Math.abs(ahead) > 2_000 ? warning(message, remedy) : ok(message);
}

/** Sealed texts that no key opens, and keys that no text needs. */
export async function keys(db: Database, secrets: Secrets): Promise<Result> {
  const usages = await keyUsage(db, secrets);
  const lost = usages.filter(({ unreadable }) => unreadable > 0);
  if (lost.length > 0) {
    const ids = new Set(
      lost.flatMap((usage) => Object.keys(usage.by_key)).filter((id) => !secrets.keyIds.includes(id)),
    );
    const places = lost.map(({ table, column, unreadable }) => `${unreadable} in ${table}.${column}`).join(', ');
    return failed(
      `No key opens ${places}`,
      `Add the key ${[...ids].join(', ')} behind the newest one in ENCRYPTION_KEY.`,
    );
  }
  const used = new Set(usages.flatMap((usage) => Object.keys(usage.by_key)));
  const [newest, ...older] = secrets.keyIds;
  const useless = older.filter((id) => !used.has(id));
  if (useless.length > 0)
    return warning(`Keys that open nothing: ${useless.join(', ')}`, 'Remove them from ENCRYPTION_KEY.');
  return ok(
    `The key ${newest!} seals, and ${secrets.keyIds.length === 1 ? 'it opens' : 'all keys together open'} every sealed value`,
  );
}

/** Connects to the mail server. */
export async function mail({ config, secrets: { smtpUrl } }: LoadedConfig): Promise<Result> {
  if (smtpUrl === undefined) {
    const message = 'SMTP_URL is not set: mails are written to the log';
    return config.production ? warning(message, 'Set SMTP_URL.') : ok(message);
  }
  const { host } = new URL(smtpUrl);
  try {
    await new SmtpTransport(smtpOptions(smtpUrl), config.mail.from).verify();
    return ok(`${host} accepts the connection`);
  } catch (error) {
    return failed(`${host}: ${(error as Error).message}`, 'Correct SMTP_URL, or the mail server.');
  }
}

/** The job queue of runs. */
export async function runs(db: Database, databaseUrl: string): Promise<Result> {
  const queues = new JobQueues(databaseUrl, [RUN_QUEUE], createLogger('silent'), { isWorker: false });
  const { waiting, held } = await queues.depth(db, RUN_QUEUE);
  const { oldest, failed: givenUp } = await queues.backlog(db, RUN_QUEUE);
  const message = `${waiting} runs are queued, the first for ${oldest} s; workers have ${held}`;
  if (givenUp > 0)
    return warning(`${givenUp} jobs have failed; ${message}`, 'Look for “jobs:” in the log of the workers.');
  return oldest > LATE_SECONDS ? warning(message, 'Start workers, or more of them.') : ok(message);
}

/** Deliveries of outbound webhooks, and mails, that should have been sent. */
export async function sending(db: Database): Promise<Result> {
  const now = systemClock.now();
  const [deliveries, mails] = [await overdueDeliveries(db, now), await overdueMails(db, now)];
  const message = `${deliveries.due} webhook deliveries and ${mails.due} mails are due`;
  const seconds = Math.max(deliveries.seconds, mails.seconds);
  if (seconds <= LATE_SECONDS) return ok(message);
  return warning(
    `${message}, the first for ${seconds} s`,
    'Start a process with the role worker, and look into its log.',
  );
}
