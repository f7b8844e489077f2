import { errorFields, type Logger } from '../logger.js';
import { type Secrets } from '../secrets.js';
import { openCredentials } from './credentials.js';
import { type StoredIntegration } from './integration.store.js';
import { type Grant, type OAuthApp, type OAuthProtocol } from './oauth-client.js';

const TIMEOUT_MS = 5_000;

/** Tells providers which tokens are not needed any more (RFC 7009). Failure is logged only: the tokens end by themselves. */
export class TokenRevocation {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly protocol: OAuthProtocol,
    private readonly secrets: Secrets,
    private readonly logger: Logger,
  ) {}

  /** Revokes what a grant gave, or what was stored; the refresh token first, which ends its access tokens too. */
  async revoke(target: OAuthApp, tokens: Grant | StoredIntegration): Promise<void> {
    try {
      const { accessToken, refreshToken } = 'accessToken' in tokens ? tokens : this.open(tokens);
      if (refreshToken) await this.protocol.revoke(target, refreshToken, 'refresh_token', TIMEOUT_MS);
      if (accessToken) await this.protocol.revoke(target, accessToken, 'access_token', TIMEOUT_MS);
    } catch (error) {
      this.logger.warn({ type: target.app.type, ...errorFields(error) }, 'oauth: tokens could not be revoked');
    }
  }

  /** The same, without making anybody wait. */
  later(target: OAuthApp, tokens: Grant | StoredIntegration): void {
    const work = this.revoke(target, tokens).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /** Waits for what `later` began. */
  async stop(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private open(integration: StoredIntegration): { accessToken?: string; refreshToken?: string | null } {
    if (integration.credentials === null) return {};
    const credentials = openCredentials(this.secrets, integration, integration.credentials);
    return 'accessToken' in credentials ? credentials : {};
  }
}
