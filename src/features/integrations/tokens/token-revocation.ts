import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type Database, type Queryable } from '../../../platform/db/database.js';
import { authOf } from '../apps/app.js';
import { type AppRegistry } from '../apps/registry.js';
import { openCredentials } from './credentials.js';
import { type StoredIntegration } from '../integration.store.js';
import { type Grant, type OAuthProtocol, type OAuthTarget } from './oauth-client.js';

const TIMEOUT_MS = 5_000;

/** Tokens from a response, or stored ones. */
type Tokens = Grant | StoredIntegration;

/** The integration that tokens were issued for, and its account at the application; undefined if that is not known. */
export interface GrantOwner {
  uuid: string;
  externalId: string | null | undefined;
}

/** Revokes tokens that are no longer needed (RFC 7009). A failure is only logged, because tokens also expire. */
export class TokenRevocation {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly protocol: OAuthProtocol,
    private readonly secrets: Secrets,
    private readonly logger: Logger,
    private readonly db: Database,
    private readonly apps: AppRegistry,
  ) {}

  /**
   * Revokes the refresh token first, which also ends its access tokens, then the access token. Tokens that are also in
   * `kept` stay valid, because some providers issue the same token to every flow of a user.
   */
  async revoke(target: OAuthTarget, tokens: Tokens, kept?: Tokens): Promise<void> {
    const stay = kept === undefined ? {} : this.open(kept);
    const { accessToken, refreshToken } = this.open(tokens);
    if (refreshToken && refreshToken !== stay.refreshToken)
      await this.revokeToken(target, refreshToken, 'refresh_token');
    if (accessToken && accessToken !== stay.accessToken) await this.revokeToken(target, accessToken, 'access_token');
  }

  /** As `revoke`, in the background. */
  later(target: OAuthTarget, tokens: Tokens, kept?: Tokens): void {
    this.inBackground(target, () => this.revoke(target, tokens, kept));
  }

  /**
   * Revokes the old tokens after a reconnect. Does nothing if revoking one token would end the user's whole grant.
   */
  laterUnneeded(target: OAuthTarget, tokens: Tokens, kept?: Tokens): void {
    const auth = authOf(target.app, 'oauth2');
    if (auth !== undefined && !auth.revocationEndsGrant) this.later(target, tokens, kept);
  }

  /**
   * Revokes tokens that were issued but not stored: of a failed flow, or of an integration that changed in between. `find`
   * reads the integration as it is now; undefined if it was deleted. If revoking one token would end the user's whole
   * grant, only those of a deleted or disconnected integration are revoked, and only if no other connection shares it.
   */
  laterUnused(
    target: OAuthTarget,
    grant: Grant,
    owner: GrantOwner,
    find: () => Promise<StoredIntegration | undefined>,
  ): void {
    const auth = authOf(target.app, 'oauth2');
    if (auth === undefined) return;
    this.inBackground(target, async () => {
      const present = await find();
      if (!auth.revocationEndsGrant) return this.revoke(target, grant, present);
      if (present !== undefined && present.status !== 'disconnected') return;
      const isShared = await this.db.outsideUnitOfWork(() => this.isShared(this.db, target, owner));
      if (!isShared) await this.revoke(target, grant);
    });
  }

  /** Whether another connection of the same user, or of any if it is not known, depends on the same grant. */
  async isShared(on: Queryable, { app, accountId }: OAuthTarget, { uuid, externalId }: GrantOwner): Promise<boolean> {
    const [other] = await on.query(
      `SELECT 1 AS one FROM integrations WHERE account_id = $1 AND type = ANY($2) AND id <> $3 AND deleted_at IS NULL
         AND auth = 'oauth2' AND credentials IS NOT NULL AND ($5 OR external_id IS NOT DISTINCT FROM $4) LIMIT 1`,
      [accountId, this.apps.sharingGrantsWith(app), uuid, externalId ?? null, externalId === undefined],
    );
    return other !== undefined;
  }

  private inBackground(target: OAuthTarget, revoke: () => Promise<void>): void {
    const work = revoke()
      .catch((error: unknown) => this.warn(target, error))
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /** Waits for revocations in the background. */
  async stop(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private async revokeToken(target: OAuthTarget, token: string, hint: 'refresh_token' | 'access_token'): Promise<void> {
    await this.protocol.revoke(target, token, hint, TIMEOUT_MS).catch((error: unknown) => this.warn(target, error));
  }

  private warn({ app }: OAuthTarget, error: unknown): void {
    this.logger.warn({ type: app.type, ...errorFields(error) }, 'oauth: tokens could not be revoked');
  }

  private open(tokens: Tokens): { accessToken?: string; refreshToken?: string | null | undefined } {
    if ('accessToken' in tokens) return tokens;
    if (tokens.credentials === null) return {};
    const credentials = openCredentials(this.secrets, tokens, tokens.credentials);
    return 'accessToken' in credentials ? credentials : {};
  }
}
