import { type Database } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type App, authOf } from '../apps/app.js';
import { type AppRegistry } from '../apps/registry.js';
import { type Credentials, kindOf, openCredentials } from './credentials.js';
import { type Unauthorized } from './renewal-claims.js';
import { type StoredTokens, type TokenRenewal } from './token-renewal.js';

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
  /** The reference by which it was found; undefined if it was found by its id. */
  soughtReference: string | undefined;
}

/** Names a connection by the client's own id of its owner. */
export interface ConnectionSelector {
  type: string;
  reference: string;
}

/** A connection by the id of its integration, or by type and reference: of several, the one that connected last. */
export type ConnectionOf = { integrationId: string } | { connection: ConnectionSelector };

interface Row extends Omit<Connection, 'app' | 'credentials' | 'sealed' | 'unauthorized' | 'soughtReference'> {
  type: string;
  status: string;
  sealed: string | null;
}

const SELECT = `SELECT id AS uuid, account_id AS "accountId", type, status, parameters, credentials AS sealed
  FROM integrations WHERE account_id = $1 AND deleted_at IS NULL`;

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
   * @throws AppError `not_found` for a connection that the account doesn't have, `not_connected` if the integration is
   * not connected, `conflict` if it must be reconnected, `provider_unavailable` if its token could not be renewed.
   */
  async open(accountId: string, which: ConnectionOf): Promise<Connection> {
    const row = await this.find(accountId, which);
    const { type, status, sealed, ...rest } = row;
    if (status !== 'connected' || sealed === null)
      throw new AppError('not_connected', `The integration is not connected: it is ${status}.`);
    const app = this.deps.apps.get(type);
    if (app === undefined) throw new AppError('conflict', `The application ${type} is no longer known.`);
    const credentials = openCredentials(this.deps.secrets, row, sealed);
    if (authOf(app, kindOf(credentials)) === undefined)
      throw new AppError('conflict', `${app.name} is no longer connected in this way: reconnect the integration.`);
    const soughtReference = 'connection' in which ? which.connection.reference : undefined;
    const found = { ...rest, app, soughtReference };
    if ('apiKey' in credentials) return { ...found, credentials, sealed, unauthorized: 'no' };
    return withTokens(found, await this.deps.renewal.token(rest.uuid));
  }

  private async find(accountId: string, which: ConnectionOf): Promise<Row> {
    const [row] = await ('connection' in which
      ? this.deps.db.query<Row>(
          `${SELECT} AND type = $2 AND reference = $3 AND status = 'connected' ORDER BY connected_at DESC, id DESC LIMIT 1`,
          [accountId, which.connection.type, which.connection.reference],
        )
      : this.deps.db.query<Row>(`${SELECT} AND id = $2`, [
          accountId,
          fromPublicId('int', which.integrationId) ?? null,
        ]));
    if (row !== undefined) return row;
    throw 'connection' in which ? noneOfReference() : new AppError('not_found', 'There is no such integration.');
  }

  /**
   * Does `work` with a connection, and again with a renewed token if the application refuses the first one and renewal
   * is possible. A first answer that is not returned is closed. @throws AppError of `TokenRenewal.replaced`, `not_found`
   * if the integration has another reference by then.
   */
  async use<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
    isRefused: (answer: T) => boolean,
    close: (answer: T) => void = () => undefined,
  ): Promise<Used<T>> {
    const answer = await work(connection);
    if (!isRefused(answer) || !isRenewable(connection)) return { answer, connection };
    close(answer);
    // The answer is not referenced during the renewal, so that it does not stay in memory.
    return this.useRenewed(connection, work);
  }

  /** Replaces the refused token of a connection that can be renewed. @throws AppError of `TokenRenewal.replaced`. */
  async renew({ uuid, sealed }: Connection): Promise<void> {
    await this.deps.renewal.replaced(uuid, sealed);
  }

  private async useRenewed<T>(old: Connection, work: (connection: Connection) => Promise<T>): Promise<Used<T>> {
    const connection = withTokens(old, await this.deps.renewal.replaced(old.uuid, old.sealed));
    return { answer: await work(connection), connection };
  }
}

/**
 * A connection with tokens that were read after it was found. In between another end user may have connected the
 * integration, under another reference.
 */
function withTokens<T extends Pick<Connection, 'soughtReference'>>(
  found: T,
  { reference, ...tokens }: StoredTokens,
): T & Omit<StoredTokens, 'reference'> {
  if (found.soughtReference !== undefined && found.soughtReference !== reference) throw noneOfReference();
  return { ...found, ...tokens };
}

function noneOfReference(): AppError {
  return new AppError('not_found', 'There is no connected integration of that type and reference.');
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
