import { fromPublicId } from '../../../platform/ids/ids.js';
import { appUrl } from '../app-url.js';
import { fillUrlTemplate } from '../apps/parameters.js';
import { type Connection, type Connections } from './connections.js';
import { type DeadConnections } from './dead-connections.js';
import { placeCredentials } from './placement.js';

/** The URL of a request to a connected application, and the headers that the service adds. */
export interface AppRequest {
  url: string;
  headers: Record<string, string>;
}

/** Who calls an application. */
export interface AppCaller {
  accountId: string;
  /** How many of our own runs in a row led to the call. */
  hops: number;
}

/** The place of a call: a path on the application's origin. */
export interface AppTarget {
  integrationId: string;
  path: string;
}

/** Every call to a connected application goes through here, so that a connection that has died is noticed. */
export class AppAccess {
  constructor(
    private readonly connections: Connections,
    private readonly dead: DeadConnections,
  ) {}

  /**
   * Lets `send` call an application with the integration's credentials. Answered 401, it is called once more with a renewed
   * token, where there can be one; another 401 has the connection checked before this returns.
   * @returns what `send` did last; its `status` is undefined where the application gave no answer.
   * @throws AppError `not_found` for an integration that the account doesn't have, `conflict` when it is not connected, or
   * no longer, `validation_error` when the path would leave the origin, `provider_unavailable` when a token could not be
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
      // A token that was as good as new when it was refused is not renewed again for a minute.
      ({ status }) => status === 401 && opened.unauthorized !== 'now',
    );
    if (answer.status === 401) await this.dead.unauthorized(connection, hops);
    else if (answer.status !== undefined) await this.dead.answered(connection);
    return answer;
  }
}

function requestOf({ app, parameters, credentials }: Connection, path: string): AppRequest {
  const address = appUrl(fillUrlTemplate(app.apiBaseUrl, parameters), path);
  const headers: Record<string, string> = { ...app.apiHeaders };
  placeCredentials(app, credentials, headers, address);
  return { url: address.href, headers };
}
