import { keyIdOf, type SealContext, type Secrets } from '../../../platform/encryption/secrets.js';

/** What opens an external application, as it is sealed in the database. */
export type Credentials = ApiKeyCredentials | OAuthCredentials;

export interface ApiKeyCredentials {
  apiKey: string;
}

export interface OAuthCredentials {
  accessToken: string;
  refreshToken: string | null;
}

interface Owner {
  accountId: string;
  uuid: string;
}

/** Seals credentials for the row of their integration. */
export function sealCredentials(secrets: Secrets, owner: Owner, credentials: Credentials): string {
  return secrets.seal(JSON.stringify(credentials), contextOf(owner));
}

/** Opens what `sealCredentials` made for this very row. @throws Error when it was made for another. */
export function openCredentials(secrets: Secrets, owner: Owner, sealed: string): Credentials {
  return JSON.parse(secrets.open(sealed, contextOf(owner))) as Credentials;
}

/** Whether two sealed texts of one row hold the same credentials: the same text, or one sealed again with another key. */
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
