import { type Database } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type App } from '../apps/app.js';
import { type AppRegistry } from '../apps/registry.js';
import { type Credentials, openCredentials } from './credentials.js';
import { type TokenRenewal } from './token-renewal.js';

/** A connected integration with what opens its application now. */
export interface Connection {
  uuid: string;
  accountId: string;
  app: App;
  parameters: Record<string, string>;
  credentials: Credentials;
  /** The credentials as they are stored: tells later whether they still are. */
  sealed: string;
  /** Whether the application has answered nothing but 401 to these tokens lately: `now` for less than a minute. */
  unauthorized: 'no' | 'now' | 'before';
}

interface Row extends Omit<Connection, 'app' | 'credentials'> {
  type: string;
  status: string;
}

export interface ConnectionsDependencies {
  db: Database;
  secrets: Secrets;
  apps: AppRegistry;
  renewal: TokenRenewal;
}

/** Opens connections for who calls their applications. */
export class Connections {
  constructor(private readonly deps: ConnectionsDependencies) {}

  /**
   * A connection with a token that is good for a minute.
   * @throws AppError `not_found` for an integration that the account doesn't have, `conflict` when it is not connected,
   * `provider_unavailable` when its token could not be renewed.
   */
  async open(accountId: string, uuid: string | undefined): Promise<Connection> {
    const [row] = await this.deps.db.query<Omit<Row, 'sealed'> & { sealed: string | null }>(
      `SELECT id AS uuid, account_id AS "accountId", type, status, parameters, credentials AS sealed,
         CASE WHEN unauthorized_since > clock_now() - interval '1 minute' THEN 'now'
              WHEN unauthorized_since IS NOT NULL THEN 'before' ELSE 'no' END AS unauthorized
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
    if ('apiKey' in credentials) return { ...rest, app, credentials, sealed };
    const { sealed: present, ...tokens } = await this.deps.renewal.token(rest.uuid);
    return { ...rest, app, credentials: tokens, sealed: present };
  }

  /**
   * Does `work` with a connection and, where the application refuses its token, once more with a renewed one, if it can be
   * renewed. @throws AppError as `TokenRenewal.replaced` says.
   */
  async use<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
    isRefused: (answer: T) => boolean,
  ): Promise<Used<T>> {
    const answer = await work(connection);
    // Nothing holds this answer while the provider takes its time.
    return isRefused(answer) && isRenewable(connection) ? this.useRenewed(connection, work) : { answer, connection };
  }

  private async useRenewed<T>(old: Connection, work: (connection: Connection) => Promise<T>): Promise<Used<T>> {
    const { sealed, ...credentials } = await this.deps.renewal.replaced(old.uuid, old.sealed);
    const connection: Connection = { ...old, credentials, sealed, unauthorized: 'no' };
    return { answer: await work(connection), connection };
  }
}

/** What came of using a connection, and that as it was used last. */
export interface Used<T> {
  answer: T;
  connection: Connection;
}

/** Whether a renewal could bring a token that the application takes. */
export function isRenewable({ credentials }: Connection): boolean {
  return 'accessToken' in credentials && credentials.refreshToken !== null;
}
