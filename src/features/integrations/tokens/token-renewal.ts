import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isDatabaseAway } from '../../../platform/errors.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type AppRegistry } from '../apps/registry.js';
import { isSameSealed, openCredentials, type OAuthCredentials } from './credentials.js';
import { type Integration } from '../integration.entity.js';
import { lockByUuid, type StoredIntegration } from '../integration.store.js';
import { type Grant, GrantRefusedError, type OAuthApp, type OAuthProtocol } from './oauth-client.js';
import { type ChangeRecorder } from '../changes/record-change.js';
import { endRefused } from './end-refused.js';
import { storeGrant } from './store-grant.js';
import { type TokenRevocation } from './token-revocation.js';

/** The time limit of a token request, in milliseconds. */
const REFRESH_MS = 10_000;
/** How long a claim to renew is valid: longer than the request may take. It also ends the claim of a dead process. */
const CLAIM_MS = 15_000;
/** An access token with a shorter remaining life is renewed before use. */
const SPARE_MS = 60_000;
const POLL_MS = 100;
const STORE_RETRY_MS = 500;
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 3_600_000;

/** The dependencies of `TokenRenewal`. */
export interface RenewalDependencies {
  db: Database;
  clock: Clock;
  changes: ChangeRecorder;
  secrets: Secrets;
  apps: AppRegistry;
  protocol: OAuthProtocol;
  revocation: TokenRevocation;
  logger: Logger;
}

/** The row that a claim refers to. */
type Claimed = Pick<Integration, 'uuid' | 'accountId' | 'type' | 'parameters'> & { credentials: string };

/** The exclusive right to renew, for `CLAIM_MS`. */
interface Claim {
  id: string;
  /** Another process had the claim and did not end it: it may still be working. */
  tookOver: boolean;
  row: Claimed;
}

/** The state that a claim expects: it differs if another process has renewed, or failed to, in between. */
type Seen = Pick<Claimed, 'uuid' | 'credentials'> & { renewalFailures: number };

/** The current state of an integration's token. */
type Current = Claimed & Seen & { accessExpiresAt: Date | null; renewAt: Date | null; unauthorized: Unauthorized };

/** Stored tokens, and what is known about them. */
export interface StoredTokens {
  credentials: OAuthCredentials;
  /** The stored text, to check later whether the tokens were replaced. */
  sealed: string;
  unauthorized: Unauthorized;
}

/**
 * Whether the application has refused, or not yet accepted, these tokens: `now` for less than a minute, `before` for
 * longer.
 */
export type Unauthorized = 'no' | 'now' | 'before';

/** What happened to a token since a call began to wait for a new one. */
interface Since {
  renewed: boolean;
  failed: boolean;
  /** The wait has reached its time limit. */
  late: boolean;
}

/**
 * Renews access tokens. A claim in the row allows one renewal at a time per integration over all processes, and needs
 * no lock or connection during the request to the provider. New tokens are stored before anything uses them.
 */
export class TokenRenewal {
  constructor(private readonly deps: RenewalDependencies) {}

  /**
   * A token that is valid for at least a minute, renewed if necessary. If it can't be renewed, one that is valid for
   * less.
   * @throws AppError `conflict` if the integration is not connected, `provider_unavailable` if an expired token could
   * not be renewed.
   */
  token(uuid: string): Promise<StoredTokens> {
    return this.renewUntil(uuid, false, (row, { refreshToken }, { renewed, failed, late }) => {
      const left = this.leftOf(row);
      if (left >= SPARE_MS) return true;
      const isBackingOff = left > 0 && row.renewalFailures > 0 && this.msUntil(row.renewAt) > 0;
      if (refreshToken !== null && !renewed && !failed && !late && !isBackingOff) return false;
      if (left > 0) return true;
      throw notRenewed();
    });
  }

  /**
   * Tokens to replace refused ones, which are given as sealed text. Renews them unless another call has.
   * @throws AppError `conflict` if the integration is not connected, or no longer because the provider refuses to renew
   * it; `provider_unavailable` if it could not be renewed.
   */
  replaced(uuid: string, refused: string): Promise<StoredTokens> {
    return this.renewUntil(uuid, true, (row, { refreshToken }, { failed, late }) => {
      if (!this.isSame(row, refused)) return true;
      if (refreshToken === null || failed || late) throw notRenewed();
      return false;
    });
  }

  /** Renews until `isEnough`. One renewal, or one failure, since the call began settles all calls that wait. */
  private async renewUntil(
    uuid: string,
    wasRefused: boolean,
    isEnough: (row: Current, tokens: OAuthCredentials, since: Since) => boolean,
  ): Promise<StoredTokens> {
    const deadline = performance.now() + REFRESH_MS + CLAIM_MS;
    let first: Current | undefined;
    for (;;) {
      const row = await this.read(uuid);
      first ??= row;
      const credentials = openCredentials(this.deps.secrets, row, row.credentials) as OAuthCredentials;
      const since = {
        renewed: !this.isSame(row, first.credentials),
        failed: row.renewalFailures > first.renewalFailures,
        late: performance.now() > deadline,
      };
      if (isEnough(row, credentials, since))
        return { credentials, sealed: row.credentials, unauthorized: row.unauthorized };
      const claimed = await this.claim(row);
      if (claimed === undefined) await sleep(POLL_MS);
      else await this.renew(claimed, wasRefused);
    }
  }

  /** Renews tokens that are due and unclaimed, at most `limit` at once. @returns the number of due tokens. */
  async renewDue(limit: number): Promise<number> {
    const due = await this.deps.db.query<Seen>(
      `SELECT id AS uuid, credentials, renewal_failures AS "renewalFailures" FROM integrations
       WHERE renew_at <= clock_now() AND status = 'connected' AND deleted_at IS NULL AND credentials IS NOT NULL
         AND (renewal_until IS NULL OR renewal_until <= clock_now())
       ORDER BY renew_at LIMIT $1`,
      [limit],
    );
    const claims = await Promise.all(due.map((seen) => this.claim(seen)));
    const ours = claims.filter((claimed) => claimed !== undefined);
    await Promise.all(ours.map((claim) => this.renew(claim, false)));
    return due.length;
  }

  private async read(uuid: string): Promise<Current> {
    const [row] = await this.deps.db.query<Current & { status: string }>(
      `SELECT id AS uuid, account_id AS "accountId", type, parameters, credentials, status,
         access_expires_at AS "accessExpiresAt", renew_at AS "renewAt", renewal_failures AS "renewalFailures",
         CASE WHEN unauthorized_since > clock_now() - interval '1 minute' THEN 'now'
              WHEN unauthorized_since IS NOT NULL THEN 'before' ELSE 'no' END AS unauthorized
       FROM integrations WHERE id = $1 AND deleted_at IS NULL AND auth = 'oauth2' AND credentials IS NOT NULL`,
      [uuid],
    );
    if (row?.status !== 'connected') throw new AppError('conflict', 'The integration is not connected.');
    return row;
  }

  /** Whether the credentials are still those of `row`, even if the reseal job has changed their key in between. */
  private isSame(row: Claimed, credentials: string | null): boolean {
    return isSameSealed(this.deps.secrets, row, row.credentials, credentials);
  }

  private leftOf({ accessExpiresAt }: Current): number {
    return accessExpiresAt === null ? Infinity : this.msUntil(accessExpiresAt);
  }

  private msUntil(moment: Date | null): number {
    return moment === null ? 0 : moment.getTime() - this.deps.clock.now().getTime();
  }

  /**
   * Claims the renewal; undefined if another process has the claim, or has renewed or failed since the row was read.
   */
  private async claim({ uuid, credentials, renewalFailures }: Seen): Promise<Claim | undefined> {
    const id = newUuid(this.deps.clock.now());
    const [row] = await this.deps.db.query<Claimed & { tookOver: boolean }>(
      `WITH old AS (
         SELECT id, renewal_id FROM integrations
         WHERE id = $1 AND credentials = $3 AND renewal_failures = $4 AND status = 'connected' AND deleted_at IS NULL
           AND (renewal_until IS NULL OR renewal_until <= clock_now()) FOR UPDATE)
       UPDATE integrations i SET renewal_id = $2, renewal_until = clock_now() + ${CLAIM_MS} * interval '1 ms'
       FROM old WHERE i.id = old.id
       RETURNING i.id AS uuid, i.account_id AS "accountId", i.type, i.parameters, i.credentials,
         old.renewal_id IS NOT NULL AS "tookOver"`,
      [uuid, id, credentials, renewalFailures],
    );
    return row && { id, tookOver: row.tookOver, row };
  }

  /** `wasRefused`: because the application refused the token, not because it expires soon. */
  private async renew(claim: Claim, wasRefused: boolean): Promise<void> {
    const { row } = claim;
    const app = this.deps.apps.get(row.type);
    try {
      const { refreshToken } = openCredentials(this.deps.secrets, row, row.credentials) as OAuthCredentials;
      if (app === undefined || refreshToken === null)
        throw new Error('The app is gone, or there is nothing to renew with.');
      const target = { app, parameters: row.parameters };
      const grant = await this.deps.protocol.refresh(target, refreshToken, REFRESH_MS);
      await this.store(row, target, grant, wasRefused);
    } catch (error) {
      this.deps.logger.warn({ type: row.type, ...errorFields(error) }, 'oauth: a token was not renewed');
      await this.failed(claim, error instanceof GrantRefusedError);
    }
  }

  /** Retries while the database is away: a provider that rotates refresh tokens no longer accepts the old one. */
  private async store(row: Claimed, target: OAuthApp, grant: Grant, wasRefused: boolean): Promise<void> {
    const deadline = performance.now() + CLAIM_MS;
    for (;;) {
      try {
        const present = await this.replace(row, grant, wasRefused);
        // Reconnected, disconnected or deleted in between: these tokens are not needed.
        if (present !== 'stored') this.deps.revocation.laterUnneeded(target, grant, present);
        return;
      } catch (error) {
        if (!isDatabaseAway(error) || performance.now() > deadline) throw error;
        await sleep(STORE_RETRY_MS);
      }
    }
  }

  private async replace(
    row: Claimed,
    grant: Grant,
    wasRefused: boolean,
  ): Promise<'stored' | StoredIntegration | undefined> {
    return this.deps.db.transaction(async (tx) => {
      const locked = await lockByUuid(tx, row.uuid);
      if (locked === undefined || !this.isSame(row, locked.credentials) || locked.status !== 'connected') return locked;
      const { refresh_expires_at: refreshExpiresAt } = await refreshEnd(tx, row.uuid);
      const { refreshToken } = openCredentials(this.deps.secrets, row, row.credentials) as OAuthCredentials;
      await storeGrant(tx, this.deps, row, grant, {
        refreshToken,
        refreshExpiresAt,
        scopes: locked.scopes,
        wasRefused,
      });
      return 'stored';
    });
  }

  /**
   * A permanent refusal expires the integration. Any other failure is retried with growing delays. So is a refusal
   * after a claim was taken over: the process that had it may have used the refresh token and be about to store the new
   * ones.
   */
  private async failed({ row, id, tookOver }: Claim, refused: boolean): Promise<void> {
    const { db, changes } = this.deps;
    await db.transaction(async (tx) => {
      const locked = await lockByUuid(tx, row.uuid);
      if (locked === undefined || !this.isSame(row, locked.credentials) || !(await isClaimed(tx, row.uuid, id))) return;
      if (refused && !tookOver && locked.status === 'connected') {
        await endRefused(tx, changes, locked, 0);
        return;
      }
      await tx.query(
        `UPDATE integrations SET renewal_id = NULL, renewal_until = NULL, renewal_failures = renewal_failures + 1,
           renew_at = clock_now() + least($2 * power(2, least(renewal_failures, 20)), $3) * interval '1 ms'
         WHERE id = $1`,
        [row.uuid, FIRST_RETRY_MS, LAST_RETRY_MS],
      );
    });
  }
}

function notRenewed(): AppError {
  return new AppError('provider_unavailable', 'The access token could not be renewed. Try again later.');
}

async function refreshEnd(
  tx: { query: Database['query'] },
  uuid: string,
): Promise<{ refresh_expires_at: Date | null }> {
  const [row] = await tx.query<{ refresh_expires_at: Date | null }>(
    `SELECT refresh_expires_at FROM integrations WHERE id = $1`,
    [uuid],
  );
  return row!;
}

async function isClaimed(tx: { query: Database['query'] }, uuid: string, claim: string): Promise<boolean> {
  return (await tx.query(`SELECT 1 FROM integrations WHERE id = $1 AND renewal_id = $2`, [uuid, claim])).length > 0;
}
