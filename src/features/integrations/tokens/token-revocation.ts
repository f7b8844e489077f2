import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { authOf } from '../apps/app.js';
import { openCredentials } from './credentials.js';
import { type StoredIntegration } from '../integration.store.js';
import { type Grant, type OAuthProtocol, type OAuthTarget } from './oauth-client.js';

const TIMEOUT_MS = 5_000;

/** Tokens from a response, or stored ones. */
type Tokens = Grant | StoredIntegration;

/** Revokes tokens that are no longer needed (RFC 7009). A failure is only logged, because tokens also expire. */
export class TokenRevocation {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly protocol: OAuthProtocol,
    private readonly secrets: Secrets,
    private readonly logger: Logger,
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
    const work = this.revoke(target, tokens, kept)
      .catch((error: unknown) => this.warn(target, error))
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /**
   * Revokes unneeded tokens while other connections of the user may exist: the old tokens after a reconnect, and those
   * of a failed flow. Does nothing if revoking one token would end the user's whole grant.
   */
  laterUnneeded(target: OAuthTarget, tokens: Tokens, kept?: Tokens): void {
    const auth = authOf(target.app, 'oauth2');
    if (auth !== undefined && !auth.revocationEndsGrant) this.later(target, tokens, kept);
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
