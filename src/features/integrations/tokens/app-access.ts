import { fromPublicId } from '../../../platform/ids/ids.js';
import { appUrl } from '../app-url.js';
import { fillApiUrl } from './api-url.js';
import { type Connection, type Connections } from './connections.js';
import { type DeadConnections } from './dead-connections.js';
import { placeCredentials } from './placement.js';

/** The URL of a request to a connected application, and the headers that the service adds. */
export interface AppRequest {
  url: string;
  headers: Record<string, string>;
}

/** The caller of an application. */
export interface AppCaller {
  accountId: string;
  /** How many runs in a row led to the call. */
  hops: number;
}

/** The target of a call: a path below the application's base URL. */
export interface AppTarget {
  integrationId: string;
  path: string;
}

/** Makes every call to a connected application, so that dead connections are noticed. */
export class AppAccess {
  constructor(
    private readonly connections: Connections,
    private readonly dead: DeadConnections,
  ) {}

  /**
   * Calls `send` with URL and credentials. After a 401, calls it again with a renewed token if renewal is possible.
   * After another 401, checks the connection before this returns.
   * @returns the last result of `send`; its `status` is undefined if the application did not respond.
   * @throws AppError `not_found` for an integration that the account doesn't have, `conflict` if it is not or no longer
   * connected, `validation_error` if the path would leave the base URL, `provider_unavailable` if a token could not be
   * renewed.
   */
  async call<T extends { status: number | undefined }>(
    { accountId, hops }: AppCaller,
    { integrationId, path }: AppTarget,
    send: (request: AppRequest) => Promise<T>,
  ): Promise<T> {
    const opened = await this.connections.open(accountId, fromPublicId('int', integrationId));
    const { answer, connection } = await this.connections.use(
      opened,
      (present) => send(requestOf(present, path)),
      // A token that was refused right after its renewal is not renewed again for a minute.
      ({ status }) => status === 401 && opened.unauthorized !== 'now',
    );
    if (answer.status === 401) await this.dead.unauthorized(connection, hops);
    else if (answer.status !== undefined) await this.dead.answered(connection);
    return answer;
  }
}

function requestOf({ app, parameters, credentials }: Connection, path: string): AppRequest {
  const address = appUrl(fillApiUrl(app.apiBaseUrl, app, parameters, credentials), path);
  const headers: Record<string, string> = { ...app.apiHeaders };
  placeCredentials(app, credentials, headers, address);
  return { url: address.href, headers };
}
