import { type Database } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { appUrl } from '../app-url.js';
import { fillUrlTemplate } from '../apps/parameters.js';
import { type AppRegistry } from '../apps/registry.js';
import { type Credentials, openCredentials } from './credentials.js';
import { placeCredentials } from './placement.js';
import { type TokenRenewal } from './token-renewal.js';

/** A request to a connected application: its address, and the headers that the service adds. */
export interface AppRequest {
  url: string;
  headers: Record<string, string>;
}

interface Row {
  uuid: string;
  accountId: string;
  type: string;
  auth: 'oauth2' | 'api_key';
  status: string;
  parameters: Record<string, string>;
  credentials: string | null;
}

export interface AppAccessDependencies {
  db: Database;
  secrets: Secrets;
  apps: AppRegistry;
  renewal: TokenRenewal;
}

/** Lets actions call connected applications with the integration's credentials. */
export class AppAccess {
  constructor(private readonly deps: AppAccessDependencies) {}

  /**
   * Where a path on the application's origin leads, with a token that is good for a minute.
   * @throws AppError `not_found` for an integration that the account doesn't have, `conflict` when it is not connected,
   * `validation_error` when the path would leave the origin, `provider_unavailable` when a token could not be renewed.
   */
  async request(accountId: string, integrationId: string, path: string): Promise<AppRequest> {
    const row = await this.find(accountId, integrationId);
    const app = this.deps.apps.get(row.type);
    if (app === undefined) throw new AppError('conflict', `The application ${row.type} is no longer known.`);
    const address = appUrl(fillUrlTemplate(app.apiBaseUrl, row.parameters), path);
    const headers: Record<string, string> = { ...app.apiHeaders };
    placeCredentials(app, await this.credentialsOf(row), headers, address);
    return { url: address.href, headers };
  }

  private async find(accountId: string, integrationId: string): Promise<Row> {
    const [row] = await this.deps.db.query<Row>(
      `SELECT id AS uuid, account_id AS "accountId", type, auth, status, parameters, credentials FROM integrations
       WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
      [fromPublicId('int', integrationId) ?? null, accountId],
    );
    if (row === undefined) throw new AppError('not_found', 'There is no such integration.');
    if (row.status !== 'connected' || row.credentials === null) {
      throw new AppError('conflict', `The integration is not connected: it is ${row.status}.`);
    }
    return row;
  }

  private async credentialsOf(row: Row): Promise<Credentials> {
    const credentials = openCredentials(this.deps.secrets, row, row.credentials!);
    if (!('accessToken' in credentials)) return credentials;
    return { ...credentials, accessToken: await this.deps.renewal.accessToken(row.uuid) };
  }
}
