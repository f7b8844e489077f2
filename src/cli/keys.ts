import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { AccountService } from '../accounts/account.service.js';
import { type ApiKey } from '../api-keys/api-key.entity.js';
import { ApiKeyService } from '../api-keys/api-key.service.js';
import { systemClock } from '../clock.js';
import { loadConfig } from '../config/config.js';
import { openDatabaseHome } from '../database-home.js';
import { createDataSource } from '../db/data-source.js';
import { Database } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { migrations } from '../db/migrations/index.js';
import { entities } from '../entities.js';
import { Notifications } from '../events/notifications.js';
import { createLogger } from '../logger.js';
import { textFault } from '../validation.js';

/** One line, as every error is. */
const USAGE =
  'usage: npm run --silent keys -- create --label TEXT --scope read-only|read-write [--account NAME] [--expires-at TIME]' +
  ' | rotate ID [--overlap 24h] | revoke ID | list [--account NAME]';

const OPTIONS = {
  label: { type: 'string' },
  scope: { type: 'string' },
  account: { type: 'string' },
  overlap: { type: 'string', default: '24h' },
  'expires-at': { type: 'string' },
} as const;

type Options = { [K in keyof typeof OPTIONS]?: string };

interface Services {
  db: Database;
  accounts: AccountService;
  keys: ApiKeyService;
}

/** What a command line asks for, checked before anything is opened. */
type Command = (services: Services) => Promise<string | undefined>;

function readCommand(argv: string[]): Command {
  const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  const [verb, id, ...more] = positionals;
  if (more.length > 0) throw new Error(`unexpected "${more[0]}"; ${USAGE}`);
  if (verb === 'create' && id === undefined) return create(values);
  if (verb === 'rotate' && id !== undefined) return rotate(id, hoursOf(values.overlap));
  if (verb === 'revoke' && id !== undefined) return revoke(id);
  if (verb === 'list' && id === undefined) return list(values.account);
  throw new Error(USAGE);
}

function create({ label, scope, account = 'default', 'expires-at': end }: Options): Command {
  if (scope !== 'read-only' && scope !== 'read-write') throw new Error('--scope must be read-only or read-write');
  const faults = { label: textFault(label, 1, 255), account: textFault(account, 1, 255) };
  for (const [name, fault] of Object.entries(faults)) if (fault !== undefined) throw new Error(`--${name} ${fault}`);
  const expiresAt = end === undefined ? null : new Date(end);
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now()))
    throw new Error('--expires-at must be a time to come, e.g. 2030-01-01T00:00:00Z');
  return async ({ db, accounts, keys }) => {
    const accountId = await accounts.findOrCreate(db, account);
    return (await keys.create(accountId, { label: label!, scope, expiresAt })).secret;
  };
}

function rotate(id: string, overlapHours: number): Command {
  return async ({ keys }) => (await keys.rotate(await keys.accountOf(id), id, overlapHours)).secret;
}

function revoke(id: string): Command {
  return async ({ keys }) => void (await keys.revoke(await keys.accountOf(id), id));
}

function list(account: string | undefined): Command {
  return async ({ db, keys }) => {
    const accounts = await db.query<{ id: string; name: string }>(
      `SELECT id, name FROM accounts WHERE $1::text IS NULL OR name = $1 ORDER BY name`,
      [account ?? null],
    );
    if (account !== undefined && accounts.length === 0) throw new Error(`no account is called "${account}"`);
    const lines: string[] = [];
    for (const { id, name } of accounts) {
      for (const key of await keys.list(id)) lines.push(JSON.stringify(describe(key, name)));
    }
    return lines.length > 0 ? lines.join('\n') : undefined;
  };
}

function hoursOf(text: string): number {
  const hours = Number(/^(\d{1,3})h$/.exec(text)?.[1]);
  if (!(hours <= 720)) throw new Error('--overlap must be 0h to 720h');
  return hours;
}

function describe(key: ApiKey, account: string): Record<string, unknown> {
  const now = new Date();
  const over = key.expiresAt !== null && key.expiresAt <= now;
  return {
    id: key.id,
    account,
    label: key.label,
    scope: key.scope,
    status: key.revokedAt !== null ? 'revoked' : over ? 'expired' : 'active',
    last_four: key.lastFour,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
  };
}

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  const { config, secrets } = loadConfig();
  const home = await openDatabaseHome(config, secrets, 'command', (line) => process.stderr.write(`${line}\n`));
  const source = createDataSource({ url: home.url, poolSize: 2 }, { entities, migrations });
  try {
    await source.initialize();
    await migrate(source, home.url);
    const db = new Database(source);
    const notifications = new Notifications(home.url, createLogger('silent'));
    const services = {
      db,
      accounts: new AccountService(db, systemClock),
      keys: new ApiKeyService(db, systemClock, notifications),
    };
    const output = await command(services);
    if (output !== undefined) process.stdout.write(`${output}\n`);
  } finally {
    if (source.isInitialized) await source.destroy();
    await home.stop();
  }
}

/** A host with several addresses fails with one error for each, and bad configuration with a line for each fault. */
function lineOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((one) => (one instanceof Error ? one.message : String(one)));
  return [...new Set(messages)].join('; ').replaceAll(/\s*\n\s*/g, ' ');
}

main().catch((error: unknown) => {
  process.stderr.write(`keys: ${lineOf(error)}\n`);
  process.exit(1);
});
