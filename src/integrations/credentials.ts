import { type Secrets } from '../secrets.js';

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
export function sealCredentials(secrets: Secrets, { accountId, uuid }: Owner, credentials: Credentials): string {
  return secrets.seal(JSON.stringify(credentials), { accountId, table: 'integrations', id: uuid });
}

/** Opens what `sealCredentials` made for this very row. @throws Error when it was made for another. */
export function openCredentials(secrets: Secrets, { accountId, uuid }: Owner, sealed: string): Credentials {
  return JSON.parse(secrets.open(sealed, { accountId, table: 'integrations', id: uuid })) as Credentials;
}
