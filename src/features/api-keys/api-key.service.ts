import { AppError, notFound, validationError } from '../../platform/errors.js';
import { type Clock } from '../../platform/clock.js';
import { type Page, type PageArgs } from '../../platform/db/pages/pagination.js';
import { selectLongPage } from '../../platform/db/pages/select-page.js';
import { type Database, type Queryable } from '../../platform/db/database.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { type RequestContext, type Scope } from '../../platform/context.js';
import { fromPublicId, newUuid, timeOf } from '../../platform/ids/ids.js';
import { sha256 } from '../../platform/encryption/secrets.js';
import { lockAccount } from '../accounts/lock-account.js';
import { auditParameter } from '../audit-log/record-audit.js';
import { ApiKey } from './api-key.entity.js';
import { apiKeyChanged } from './api-key.events.js';
import { COLUMNS, CREATE, EXPIRE_ROTATED, MAX_KEYS, REVOKE, REVOKE_ROTATED } from './api-key.statements.js';
import { newKeyText } from './key-text.js';

/** A key that was just created. `secret` is the key itself; only its digest is stored. */
export interface NewApiKey {
  apiKey: ApiKey;
  secret: string;
}

/** What the creator of a key chooses. No `expiresAt`: the key never expires. */
export interface ApiKeySettings {
  label: string;
  scope: Scope;
  expiresAt?: Date | null;
}

/**
 * Creates, lists, rotates and revokes keys. Each change is published, so that all processes drop the key from caches.
 */
export class ApiKeyService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  /** The caller's key, or null if the caller is not a key. */
  async current({ caller }: RequestContext): Promise<ApiKey | null> {
    if (caller.kind !== 'key') return null;
    const [key] = await this.db.select(ApiKey, `SELECT ${COLUMNS} FROM api_keys k WHERE k.id = $1`, [caller.keyId]);
    return key ?? null;
  }

  /** All keys of an account, newest first, including revoked ones. */
  async list(accountId: string): Promise<ApiKey[]> {
    return this.db.select(ApiKey, `SELECT ${COLUMNS} FROM api_keys k WHERE k.account_id = $1 ORDER BY k.id DESC`, [
      accountId,
    ]);
  }

  /** The labels of the account's keys, in the order of `uuids`; null for each that does not exist. */
  async labels({ accountId }: RequestContext, uuids: readonly string[]): Promise<(string | null)[]> {
    const rows = await this.db.query<{ id: string; label: string }>(
      `SELECT id, label FROM api_keys WHERE account_id = $1 AND id = ANY($2)`,
      [accountId, uuids],
    );
    const labels = new Map(rows.map(({ id, label }) => [id, label]));
    return uuids.map((uuid) => labels.get(uuid) ?? null);
  }

  /** The uuid of the account that a key belongs to. @throws AppError `not_found`. */
  async accountOf(id: string): Promise<string> {
    const uuid = fromPublicId('key', id);
    const [row] = uuid
      ? await this.db.query<{ id: string }>(`SELECT account_id AS id FROM api_keys WHERE id = $1`, [uuid])
      : [];
    if (row === undefined) throw notFound('API key');
    return row.id;
  }

  /** One page of the account's keys, newest first; `counts`: whether the total is needed. */
  page({ accountId }: RequestContext, args: PageArgs, counts = true): Promise<Page<ApiKey>> {
    return selectLongPage(this.db, { entity: ApiKey, prefix: 'key', from: 'api_keys k', accountId }, args, counts);
  }

  /** @throws AppError `validation_error` for an expiry that is not in the future, and for too many keys. */
  async create(accountId: string, settings: ApiKeySettings): Promise<NewApiKey> {
    if (settings.expiresAt && settings.expiresAt <= this.clock.now()) {
      throw validationError({ field: 'expiresAt', message: 'must be in the future' });
    }
    const created = await this.db.transaction((tx) => this.insert(tx, accountId, settings));
    if (created === undefined) throw tooMany('label', 'created');
    return created;
  }

  /**
   * Creates a key with the same label, scope and expiry. The old key works for `overlapHours` more, at most until its
   * own expiry.
   * @throws AppError `not_found`, `conflict` when the key is revoked or has expired, `validation_error` for too many keys.
   */
  async rotate(accountId: string, id: string, overlapHours: number): Promise<NewApiKey> {
    return this.db.transaction(async (tx) => {
      const old = await this.lock(tx, accountId, id);
      const now = this.clock.now();
      if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
        throw new AppError('conflict', 'The key is revoked or has expired: create a new one.');
      }
      const end = new Date(now.getTime() + overlapHours * 3_600_000);
      await tx.query(overlapHours === 0 ? REVOKE_ROTATED : EXPIRE_ROTATED, [old.uuid, end, auditParameter(now)]);
      this.notifications.publish(tx, apiKeyChanged, { keyId: old.uuid });
      const { label, scope, ownEnd } = old;
      const settings = { label, scope, expiresAt: ownEnd };
      const created = await this.insert(tx, accountId, settings);
      if (created === undefined) throw tooMany('overlapHours', 'replaced with an overlap');
      return created;
    });
  }

  /** Revokes a key at once. A second call changes nothing. @throws AppError `not_found`. */
  async revoke(accountId: string, id: string): Promise<ApiKey> {
    return this.db.transaction(async (tx) => {
      const key = await this.lock(tx, accountId, id);
      if (key.revokedAt !== null) return key;
      const now = this.clock.now();
      const [revoked] = await tx.select(ApiKey, REVOKE, [key.uuid, now, auditParameter(now)]);
      this.notifications.publish(tx, apiKeyChanged, { keyId: key.uuid });
      return revoked!;
    });
  }

  private async lock(tx: Queryable, accountId: string, id: string): Promise<ApiKey> {
    const uuid = fromPublicId('key', id);
    const [key] = uuid
      ? await tx.select(ApiKey, `SELECT ${COLUMNS} FROM api_keys k WHERE k.id = $1 AND k.account_id = $2 FOR UPDATE`, [
          uuid,
          accountId,
        ])
      : [];
    if (key === undefined) throw notFound('API key');
    return key;
  }

  /** @returns undefined if the account has too many keys. */
  private async insert(
    tx: Queryable,
    accountId: string,
    { label, scope, expiresAt }: ApiKeySettings,
  ): Promise<NewApiKey | undefined> {
    await lockAccount(tx, accountId);
    const secret = newKeyText();
    const now = this.clock.now();
    const uuid = newUuid(now);
    const [apiKey] = await tx.select(ApiKey, CREATE, [
      ...[uuid, accountId, label, scope, sha256(secret), secret.slice(-4), timeOf(uuid), expiresAt],
      auditParameter(now),
    ]);
    return apiKey && { apiKey, secret };
  }
}

function tooMany(field: string, done: string): AppError {
  const most = MAX_KEYS.toLocaleString('en');
  const message = `can't be ${done}: the account has ${most} keys that are neither revoked nor expired, the most that it may have`;
  return validationError({ field, message });
}
