import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { type ApiKey } from '../../features/api-keys/api-key.entity.js';
import { keyUsage } from '../../features/encryption/key-usage.js';
import { ApiKeyService } from '../../features/api-keys/api-key.service.js';
import { keyNote } from './key-note.js';
import { textFault } from '../../platform/validation.js';
import { accountsCalled, type Command, type CommandPlatform, jsonLines, runShellCommand } from './shell-command.js';

/** One line, like every error. */
const USAGE =
  'usage: npm run --silent keys -- create --label TEXT --scope read-only|read-write [--account NAME] [--expires-at TIME]' +
  ' | rotate ID [--overlap 24h] | revoke ID | list [--account NAME] | encryption';

const OPTIONS = {
  label: { type: 'string' },
  scope: { type: 'string' },
  account: { type: 'string' },
  overlap: { type: 'string', default: '24h' },
  'expires-at': { type: 'string' },
} as const;

type Options = { [K in keyof typeof OPTIONS]?: string };

function readCommand(argv: string[]): Command {
  if (argv.includes('--help')) throw new Error(USAGE);
  const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  const [verb, id, ...more] = positionals;
  if (more.length > 0) throw new Error(`unexpected "${more[0]}"; ${USAGE}`);
  if (verb === 'create' && id === undefined) return create(values);
  if (verb === 'rotate' && id !== undefined) return rotate(id, hoursOf(values.overlap));
  if (verb === 'revoke' && id !== undefined) return revoke(id);
  if (verb === 'list' && id === undefined) return list(values.account);
  if (verb === 'encryption' && id === undefined) return encryption;
  throw new Error(USAGE);
}

function create({ label, scope, account = 'default', 'expires-at': end }: Options): Command {
  if (scope !== 'read-only' && scope !== 'read-write') throw new Error('--scope must be read-only or read-write');
  const faults = { label: textFault(label, 1, 255), account: textFault(account, 1, 255) };
  for (const [name, fault] of Object.entries(faults)) if (fault !== undefined) throw new Error(`--${name} ${fault}`);
  const expiresAt = end === undefined ? null : new Date(end);
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now()))
    throw new Error('--expires-at must be a time to come, e.g. 2030-01-01T00:00:00Z');
  return async (platform) => {
    const accountId = await platform.accounts.findOrCreate(platform.db, account);
    const { secret } = await keysOf(platform).create(accountId, { label: label!, scope, expiresAt });
    process.stderr.write(keyNote(scope, process.stderr));
    return secret;
  };
}

function rotate(id: string, overlapHours: number): Command {
  return async (platform) => {
    const keys = keysOf(platform);
    return (await keys.rotate(await keys.accountOf(id), id, overlapHours)).secret;
  };
}

function revoke(id: string): Command {
  return async (platform) => {
    const keys = keysOf(platform);
    await keys.revoke(await keys.accountOf(id), id);
    return undefined;
  };
}

function list(account: string | undefined): Command {
  return async (platform) => {
    const lines: Record<string, unknown>[] = [];
    for (const { id, name } of await accountsCalled(platform.db, account)) {
      for (const key of await keysOf(platform).list(id)) lines.push(describe(key, name));
    }
    return jsonLines(lines);
  };
}

/** Prints the encryption keys in use, one line for each sealed column. */
async function encryption({ db, secrets }: CommandPlatform): Promise<string | undefined> {
  return jsonLines((await keyUsage(db, secrets)).map((usage) => ({ ...usage })));
}

function keysOf({ db, clock, notifications }: CommandPlatform): ApiKeyService {
  return new ApiKeyService(db, clock, notifications);
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

runShellCommand('keys', readCommand);
