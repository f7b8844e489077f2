import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { openCredentials } from './credentials.js';
import { type StoredIntegration } from '../integration.store.js';
import { type Grant, type OAuthApp, type OAuthProtocol } from './oauth-client.js';

const TIMEOUT_MS = 5_000;

/** What a provider granted just now, or what is stored of it. */
type Tokens = Grant | StoredIntegration;

/** Tells providers which tokens are not needed any more (RFC 7009). Failure is logged only: the tokens end by themselves. */
export class TokenRevocation {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly protocol: OAuthProtocol,
    private readonly secrets: Secrets,
    private readonly logger: Logger,
  ) {}

  /**
   * Ends a connection at the provider: the refresh token first, which ends its access tokens too. Tokens that are also
   * in `kept` stay, since some providers give the same one to every flow of a user.
   */
  async revoke(target: OAuthApp, tokens: Tokens, kept?: Tokens): Promise<void> {
    const stay = kept === undefined ? {} : this.open(kept);
    const { accessToken, refreshToken } = this.open(tokens);
    if (refreshToken && refreshToken !== stay.refreshToken)
      await this.revokeToken(target, refreshToken, 'refresh_token');
    if (accessToken && accessToken !== stay.accessToken) await this.revokeToken(target, accessToken, 'access_token');
  }

  /** The same, without making anybody wait. */
  later(target: OAuthApp, tokens: Tokens, kept?: Tokens): void {
    const work = this.revoke(target, tokens, kept)
      .catch((error: unknown) => this.warn(target, error))
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /**
   * Revokes tokens that are not needed while the connection goes on or may exist elsewhere: those of before a
   * reconnect, and those of a flow that failed. Left to end by themselves where revoking one ends all of the user's.
   */
  laterUnneeded(target: OAuthApp, tokens: Tokens, kept?: Tokens): void {
    const { auth } = target.app;
    if (auth.kind === 'oauth2' && !auth.revocationEndsGrant) this.later(target, tokens, kept);
  }

  /** Waits for what `later` began. */
  async stop(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private async revokeToken(target: OAuthApp, token: string, hint: 'refresh_token' | 'access_token'): Promise<void> {
    await this.protocol.revoke(target, token, hint, TIMEOUT_MS).catch((error: unknown) => this.warn(target, error));
  }

  private warn({ app }: OAuthApp, error: unknown): void {
    this.logger.warn({ type: app.type, ...errorFields(error) }, 'oauth: tokens could not be revoked');
  }

  private open(tokens: Tokens): { accessToken?: string; refreshToken?: string | null | undefined } {
    if ('accessToken' in tokens) return tokens;
    if (tokens.credentials === null) return {};
    const credentials = openCredentials(this.secrets, tokens, tokens.credentials);
    return 'accessToken' in credentials ? credentials : {};
  }
}
