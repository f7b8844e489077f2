import { type ApiKey } from '../../features/api-keys/api-key.entity.js';
import { keyUsage } from '../../features/encryption/key-usage.js';
import { ApiKeyService } from '../../features/api-keys/api-key.service.js';
import { keyNote } from './key-note.js';
import { textFault } from '../../platform/validation.js';
import { accountsCalled, type Command, type CommandPlatform } from './shell-command.js';

/** What a new key is given. */
export interface NewKey {
  label?: string | undefined;
  scope?: string | undefined;
  account?: string | undefined;
  /** ISO 8601, in the future. */
  expiresAt?: string | undefined;
}

/** Creates a key, whose output is its only text. @throws Error for an invalid option. */
export function create({ label, scope, account = 'default', expiresAt: end }: NewKey): Command {
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
    return { name: 'key', text: secret };
  };
}

/** Creates a key in the place of another one, which ends after the overlap (`24h`). @throws Error for another form. */
export function rotate(id: string, overlap: string): Command {
  const overlapHours = hoursOf(overlap);
  return async (platform) => {
    const keys = keysOf(platform);
    return { name: 'key', text: (await keys.rotate(await keys.accountOf(id), id, overlapHours)).secret };
  };
}

/** Ends a key at once. */
export function revoke(id: string): Command {
  return async (platform) => {
    const keys = keysOf(platform);
    await keys.revoke(await keys.accountOf(id), id);
    return undefined;
  };
}

/** Lists the keys of all accounts, or of one. */
export function list(account: string | undefined): Command {
  return async (platform) => {
    const lines: Record<string, unknown>[] = [];
    for (const { id, name } of await accountsCalled(platform.db, account)) {
      for (const key of await keysOf(platform).list(id)) lines.push(describe(key, name));
    }
    return { rows: lines };
  };
}

/** Lists the encryption keys in use, one row for each sealed column. */
export const encryption: Command = async ({ db, secrets }) => ({
  rows: (await keyUsage(db, secrets)).map((usage) => ({ ...usage })),
});

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
