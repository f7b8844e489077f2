import { AccountService } from '../../features/accounts/account.service.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { type Config, loadConfig } from '../../platform/config/config.js';
import { openDatabase } from '../database-location.js';
import { createDataSource } from '../../platform/db/data-source.js';
import { Database } from '../../platform/db/database.js';
import { migrate } from '../../platform/db/migrate.js';
import { migrations } from '../../platform/db/migrations/index.js';
import { entities } from '../entities.js';
import { Notifications } from '../../platform/notifications/notifications.js';
import { createLogger, type Logger } from '../../platform/logging/logger.js';
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

/** A parsed command line. It is validated before anything is opened, and returns the text to print. */
export type Command = (platform: CommandPlatform) => Promise<string | undefined>;

/**
 * Runs the command line of `npm run NAME`: stdout holds only its output, stderr an error as one line, with status 1.
 */
export function runShellCommand(name: string, read: (argv: string[]) => Command): void {
  run(read).catch((error: unknown) => {
    process.stderr.write(`${name}: ${lineOf(error)}\n`);
    process.exit(1);
  });
}

async function run(read: (argv: string[]) => Command): Promise<void> {
  const command = read(process.argv.slice(2));
  const { config, secrets } = loadConfig();
  const database = await openDatabase(config, secrets, 'command', (line) => process.stderr.write(`${line}\n`));
  const source = createDataSource({ url: database.url, poolSize: 2 }, entities);
  try {
    await migrate({ url: database.url, migrations, log: (line) => process.stderr.write(`${line}\n`) });
    await source.initialize();
    const db = new Database(source);
    const [clock, logger] = [systemClock, createLogger('silent')];
    const notifications = new Notifications(database.url, logger);
    const accounts = new AccountService(db, clock);
    const output = await command({
      config,
      db,
      clock,
      secrets: new Secrets(database.encryptionKeys),
      notifications,
      logger,
      accounts,
    });
    if (output !== undefined) process.stdout.write(`${output}\n`);
  } finally {
    if (source.isInitialized) await source.destroy();
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
 * A connection to a host with several addresses fails with one error for each, and bad configuration with one line for
 * each error.
 */
function lineOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((one) => (one instanceof Error ? one.message : String(one)));
  const lines = [...new Set(messages)].join('; ').split('\n');
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim();
}
