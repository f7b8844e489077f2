import { type Database } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type App, authOf } from '../apps/app.js';
import { type AppRegistry } from '../apps/registry.js';
import { type Credentials, kindOf, openCredentials } from './credentials.js';
import { type Unauthorized } from './renewal-claims.js';
import { type TokenRenewal } from './token-renewal.js';

/** A connected integration with its current credentials. */
export interface Connection {
  uuid: string;
  accountId: string;
  app: App;
  parameters: Record<string, string>;
  credentials: Credentials;
  /** The sealed credentials, to check later whether they were replaced. */
  sealed: string;
  /** Always `no` for API keys, which can't be renewed. */
  unauthorized: Unauthorized;
}

interface Row extends Omit<Connection, 'app' | 'credentials' | 'sealed' | 'unauthorized'> {
  type: string;
  status: string;
  sealed: string | null;
}

/** The dependencies of `Connections`. */
export interface ConnectionsDependencies {
  db: Database;
  secrets: Secrets;
  apps: AppRegistry;
  renewal: TokenRenewal;
}

/** Opens connections for calls to their applications, and renews refused tokens. */
export class Connections {
  constructor(private readonly deps: ConnectionsDependencies) {}

  /**
   * A connection with a token as of `TokenRenewal.token`.
   * @throws AppError `not_found` for an integration that the account doesn't have, `conflict` if it is not connected,
   * `provider_unavailable` if its token could not be renewed.
   */
  async open(accountId: string, uuid: string | undefined): Promise<Connection> {
    const [row] = await this.deps.db.query<Row>(
      `SELECT id AS uuid, account_id AS "accountId", type, status, parameters, credentials AS sealed
       FROM integrations WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
      [uuid ?? null, accountId],
    );
    if (row === undefined) throw new AppError('not_found', 'There is no such integration.');
    const { type, status, sealed, ...rest } = row;
    if (status !== 'connected' || sealed === null)
      throw new AppError('conflict', `The integration is not connected: it is ${status}.`);
    const app = this.deps.apps.get(type);
    if (app === undefined) throw new AppError('conflict', `The application ${type} is no longer known.`);
    const credentials = openCredentials(this.deps.secrets, row, sealed);
    if (authOf(app, kindOf(credentials)) === undefined)
      throw new AppError('conflict', `${app.name} is no longer connected in this way: reconnect the integration.`);
    if ('apiKey' in credentials) return { ...rest, app, credentials, sealed, unauthorized: 'no' };
    return { ...rest, app, ...(await this.deps.renewal.token(rest.uuid)) };
  }

  /**
   * Does `work` with a connection, and again with a renewed token if the application refuses the first one and renewal
   * is possible. @throws AppError of `TokenRenewal.replaced`.
   */
  async use<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
    isRefused: (answer: T) => boolean,
  ): Promise<Used<T>> {
    const answer = await work(connection);
    // The answer is not referenced during the renewal, so that it does not stay in memory.
    return isRefused(answer) && isRenewable(connection) ? this.useRenewed(connection, work) : { answer, connection };
  }

  private async useRenewed<T>(old: Connection, work: (connection: Connection) => Promise<T>): Promise<Used<T>> {
    const connection = { ...old, ...(await this.deps.renewal.replaced(old.uuid, old.sealed)) };
    return { answer: await work(connection), connection };
  }
}

/** The last result of using a connection, and the connection with the credentials used for it. */
export interface Used<T> {
  answer: T;
  connection: Connection;
}

/** Whether the connection has a refresh token. */
export function isRenewable({ credentials }: Connection): boolean {
  return 'accessToken' in credentials && credentials.refreshToken !== null;
}
