import { type AuthKind } from '../apps/app.js';
import { type Captured } from '../apps/captures.js';
import { keyIdOf, type SealContext, type Secrets } from '../../../platform/encryption/secrets.js';

/** The credentials of an integration, before they are sealed. */
export type Credentials = ApiKeyCredentials | OAuthCredentials;

/** The API key of an API-key app. */
export interface ApiKeyCredentials {
  apiKey: string;
}

/** The tokens of an OAuth app; `refreshToken` is null if the provider issued none. */
export interface OAuthCredentials {
  accessToken: string;
  refreshToken: string | null;
  /** The app's captures from the last token response that named them; absent if it has none. */
  captured?: Captured;
}

/** The way that credentials are for. */
export function kindOf(credentials: Credentials): AuthKind {
  return 'apiKey' in credentials ? 'api_key' : 'oauth2';
}

interface Owner {
  accountId: string;
  uuid: string;
}

/** Seals credentials for the row of their integration. */
export function sealCredentials(secrets: Secrets, owner: Owner, credentials: Credentials): string {
  return secrets.seal(JSON.stringify(credentials), contextOf(owner));
}

/** Opens credentials that were sealed for this row. @throws Error for credentials of another row. */
export function openCredentials(secrets: Secrets, owner: Owner, sealed: string): Credentials {
  return JSON.parse(secrets.open(sealed, contextOf(owner))) as Credentials;
}

/**
 * Whether two sealed texts of one row contain the same credentials, even if the reseal job changed the key in between.
 */
export function isSameSealed(secrets: Secrets, owner: Owner, one: string, other: string | null): boolean {
  if (one === other || other === null) return one === other;
  if (keyIdOf(one) === keyIdOf(other)) return false;
  const context = contextOf(owner);
  const opened = secrets.tryOpen(one, context);
  return opened !== null && opened === secrets.tryOpen(other, context);
}

function contextOf({ accountId, uuid }: Owner): SealContext {
  return { accountId, table: 'integrations', id: uuid };
}
