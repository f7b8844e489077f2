import { AccountService } from '../../features/accounts/account.service.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { type Config, loadConfig } from '../../platform/config/config.js';
import { openDatabase, routeTo } from '../database-location.js';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../platform/db/data-source.js';
import { Database } from '../../platform/db/database.js';
import { migrate } from '../../platform/db/migrate.js';
import { migrations } from '../../platform/db/migrations/index.js';
import { entities } from '../entities.js';
import { Notifications } from '../../platform/notifications/notifications.js';
import { createLogger, type Logger } from '../../platform/logging/logger.js';
import { asCommand } from '../../platform/admission/origin.js';
import { Secrets } from '../../platform/encryption/secrets.js';

/** The parts that a command uses. It works on the service's database, with or without a running service. */
export interface CommandPlatform {
  config: Config;
  db: Database;
  clock: Clock;
  secrets: Secrets;
  notifications: Notifications;
  logger: Logger;
  accounts: AccountService;
}

/** The output of a command: one text with its name, e.g. a key, or rows. */
export type Output = { name: string; text: string } | { rows: readonly Record<string, unknown>[] };

/** A parsed command line. It is validated before anything is opened. */
export type Command = (platform: CommandPlatform) => Promise<Output | undefined>;

/**
 * Runs the command line of `npm run NAME`: stdout holds only its output, stderr an error as one line, with status 1.
 */
export function runShellCommand(name: string, read: (argv: string[]) => Command): void {
  const verb = /^[a-z]+$/.exec(process.argv[2] ?? '')?.[0];
  asCommand(verb === undefined ? name : `${name} ${verb}`, () => run(read)).catch((error: unknown) => {
    process.stderr.write(`${name}: ${lineOf(error)}\n`);
    process.exit(1);
  });
}

async function run(read: (argv: string[]) => Command): Promise<void> {
  const output = await withPlatform(read(process.argv.slice(2)));
  if (output === undefined) return;
  const text = 'rows' in output ? jsonLines(output.rows) : output.text;
  if (text !== undefined) process.stdout.write(`${text}\n`);
}

/**
 * Opens the service's database, with or without a running service, brings its schema up to date, and closes it after
 * the command. @throws ConfigError, or Error with a sentence.
 */
export async function withPlatform<T>(command: (platform: CommandPlatform) => Promise<T>): Promise<T> {
  const { config, secrets } = loadConfig();
  const database = await openDatabase(config, secrets, 'command', (line) => process.stderr.write(`${line}\n`));
  let source: DataSource | undefined;
  let stop = async (): Promise<void> => undefined;
  try {
    const route = await routeTo(database, config);
    source = createDataSource({ url: database.url, poolSize: 2, isPooled: route.isPooled }, entities);
    await migrate({ url: database.directUrl, migrations, log: (line) => process.stderr.write(`${line}\n`) });
    await source.initialize();
    const db = new Database(source, undefined, route);
    const [clock, logger] = [systemClock, createLogger('silent')];
    const notifications = new Notifications(database.directUrl, logger);
    stop = () => notifications.stop();
    await notifications.start();
    const accounts = new AccountService(db, clock);
    const encryption = new Secrets(database.encryptionKeys);
    return await command({ config, db, clock, secrets: encryption, notifications, logger, accounts });
  } finally {
    await stop();
    if (source?.isInitialized) await source.destroy();
    await database.stop();
  }
}

/** The accounts to list, sorted by name: the named one, or all. @throws Error when the name is unknown. */
export async function accountsCalled(db: Database, name: string | undefined): Promise<{ id: string; name: string }[]> {
  const accounts = await db.query<{ id: string; name: string }>(
    `SELECT id, name FROM accounts WHERE $1::text IS NULL OR name = $1 ORDER BY name`,
    [name ?? null],
  );
  if (name !== undefined && accounts.length === 0) throw new Error(`no account is called "${name}"`);
  return accounts;
}

/** One JSON object a line; undefined for none. */
export function jsonLines(objects: readonly Record<string, unknown>[]): string | undefined {
  return objects.length > 0 ? objects.map((one) => JSON.stringify(one)).join('\n') : undefined;
}

/**
 * An error as one line. A connection to a host with several addresses fails with one error for each, and bad configuration with one line for
 * each error.
 */
export function lineOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((one) => (one instanceof Error ? one.message : String(one)));
  const lines = [...new Set(messages)].join('; ').split('\n');
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim();
}
