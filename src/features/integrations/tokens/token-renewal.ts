import { setTimeout as sleep } from 'node:timers/promises';
import { workFor } from '../../../platform/admission/work.js';
import { AppError, isDatabaseAway } from '../../../platform/errors.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { missingCaptures } from '../apps/captures.js';
import { type AppRegistry } from '../apps/registry.js';
import { type DueRenewal, DueRenewals } from './due-renewals.js';
import { steadily } from './steadily.js';
import { isSameSealed, openCredentials, type OAuthCredentials } from './credentials.js';
import { lockByUuid, type StoredIntegration } from '../integration.store.js';
import { type Grant, GrantRefusedError, type OAuthProtocol, type OAuthTarget, providerOf } from './oauth-client.js';
import { type ChangeRecorder } from '../changes/record-change.js';
import { endRefused } from './end-refused.js';
import {
  type Claim,
  CLAIM_MS,
  claimDue,
  type Claimed,
  claimRenewal,
  type Current,
  isClaimed,
  readTokens,
  refreshEnd,
  type Unauthorized,
} from './renewal-claims.js';
import { RenewalSlots } from './renewal-slots.js';
import { storeGrant } from './store-grant.js';
import { type TokenRevocation } from './token-revocation.js';

/** The time limit of a token request, in milliseconds. */
const REFRESH_MS = 10_000;
/** An access token with a shorter remaining life is renewed before use. */
const SPARE_MS = 60_000;
const POLL_MS = 100;
const STORE_RETRY_MS = 500;
/** How often the job looks for due tokens while renewals are under way, in milliseconds. */
const LOOK_MS = 1_000;
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

/** Stored tokens, and what is known about them. */
export interface StoredTokens {
  credentials: OAuthCredentials;
  /** The stored text, to check later whether the tokens were replaced. */
  sealed: string;
  unauthorized: Unauthorized;
  /** The reference of the integration that had these tokens, read together with them. */
  reference: string | null;
}

/** The state of a token, with the opened credentials. */
interface Look {
  row: Current;
  credentials: OAuthCredentials;
}

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
  /** The next looks at tokens that are being renewed, by integration. */
  private readonly looks = new Map<string, Promise<Look>>();

  constructor(private readonly deps: RenewalDependencies) {}

  /**
   * A token that is valid for at least a minute, renewed if necessary. If it can't be renewed, one that is valid for
   * less.
   * @throws AppError `not_connected`, or `provider_unavailable` if an expired token could not be renewed.
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
   * @throws AppError `not_connected`, also because the provider refuses to renew; `provider_unavailable` if they could not
   * be renewed.
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
    let look = await this.look(uuid);
    const first = look.row;
    for (;;) {
      const { row, credentials } = look;
      const since = {
        renewed: !this.isSame(row, first.credentials),
        failed: row.renewalFailures > first.renewalFailures,
        late: performance.now() > deadline,
      };
      if (isEnough(row, credentials, since))
        return { credentials, sealed: row.credentials, unauthorized: row.unauthorized, reference: row.reference };
      const claimed = row.isBeingRenewed ? undefined : await this.claim(row);
      if (claimed !== undefined) await this.renew(claimed, wasRefused);
      look = await (claimed === undefined ? this.lookLater(row) : this.look(uuid));
    }
  }

  private async look(uuid: string): Promise<Look> {
    const row = await readTokens(this.deps.db, uuid);
    return { row, credentials: openCredentials(this.deps.secrets, row, row.credentials) as OAuthCredentials };
  }

  /** Looks again soon: once for all calls that wait for the same tokens, of which thousands may come while they are renewed. */
  private lookLater({ uuid, accountId }: Current): Promise<Look> {
    let look = this.looks.get(uuid);
    if (look === undefined) {
      look = workFor(accountId, async () => {
        await sleep(POLL_MS);
        this.looks.delete(uuid);
        return this.look(uuid);
      });
      this.looks.set(uuid, look);
    }
    return look;
  }

  /**
   * Renews tokens that are due and unclaimed, at most `limit` at once, of which no account and no provider uses all;
   * `signal` ends it after those under way. @returns the number of tokens that it took.
   */
  async renewDue(limit: number, signal?: AbortSignal): Promise<number> {
    const [due, slots] = [new DueRenewals(this.deps.db), new RenewalSlots(limit)];
    let count = 0;
    const claim = async ({ uuid, accountId, type }: DueRenewal): Promise<[Claim, () => void] | undefined> => {
      const free = slots.take(accountId, providerOf(this.deps.apps.get(type), type));
      if (free === undefined) return undefined;
      count += 1;
      let claimed: Claim | undefined;
      try {
        claimed = await claimDue(this.deps.db, newUuid(this.deps.clock.now()), uuid);
        return claimed && [claimed, free];
      } finally {
        if (claimed === undefined) free();
      }
    };
    const take = async () => {
      if (signal?.aborted === true || slots.free === 0) return [];
      const claims = await Promise.all((await due.next()).map(claim));
      return claims.filter((each) => each !== undefined);
    };
    const renew = (claimed: Claim) => workFor(claimed.row.accountId, () => this.renew(claimed, false));
    await steadily(take, ([claimed, free]) => renew(claimed).finally(free), LOOK_MS);
    return count;
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

  private claim(seen: Current): Promise<Claim | undefined> {
    return claimRenewal(this.deps.db, newUuid(this.deps.clock.now()), seen);
  }

  /** `wasRefused`: because the application refused the token, not because it expires soon. */
  private async renew(claim: Claim, wasRefused: boolean): Promise<void> {
    const { row } = claim;
    const app = this.deps.apps.get(row.type);
    try {
      const { refreshToken } = openCredentials(this.deps.secrets, row, row.credentials) as OAuthCredentials;
      if (app === undefined || refreshToken === null)
        throw new Error('The app is gone, or there is nothing to renew with.');
      const target = { app, parameters: row.parameters, accountId: row.accountId };
      const grant = await this.deps.protocol.refresh(target, refreshToken, REFRESH_MS);
      const missing = missingCaptures(app, 'oauth2', grant.captured);
      // The tokens are stored all the same: a rotated refresh token can't be had again.
      if (missing.length > 0)
        this.deps.logger.warn({ type: row.type, captures: missing }, 'oauth: a token response lacks captures');
      await this.store(row, target, grant, wasRefused);
    } catch (error) {
      this.deps.logger.warn({ type: row.type, ...errorFields(error) }, 'oauth: a token was not renewed');
      await this.failed(claim, error instanceof GrantRefusedError);
    }
  }

  /** Retries while the database is away: a provider that rotates refresh tokens no longer accepts the old one. */
  private async store(row: Claimed, target: OAuthTarget, grant: Grant, wasRefused: boolean): Promise<void> {
    const deadline = performance.now() + CLAIM_MS;
    for (;;) {
      try {
        const present = await this.replace(row, grant, wasRefused);
        // Reconnected, disconnected or deleted in between: these tokens are not needed.
        if (present !== 'stored') this.deps.revocation.laterUnused(target, grant, row, () => Promise.resolve(present));
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
      const refreshExpiresAt = await refreshEnd(tx, row.uuid);
      const { refreshToken, captured } = openCredentials(this.deps.secrets, row, row.credentials) as OAuthCredentials;
      await storeGrant(tx, this.deps, row, grant, {
        refreshToken,
        captured: captured ?? {},
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
   * ones. After the stated end of the refresh token the job that expires integrations acts, and names that reason.
   */
  private async failed({ row, id, tookOver }: Claim, refused: boolean): Promise<void> {
    const { db, changes } = this.deps;
    await db.transaction(async (tx) => {
      const locked = await lockByUuid(tx, row.uuid);
      if (locked === undefined || !this.isSame(row, locked.credentials) || !(await isClaimed(tx, row.uuid, id))) return;
      const end = await refreshEnd(tx, row.uuid);
      const isOver = end !== null && this.msUntil(end) <= 0;
      if (refused && !tookOver && !isOver && locked.status === 'connected') {
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
