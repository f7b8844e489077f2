import { type TargetLimits } from '../../../platform/admission/target-limits.js';
import { HeldBackError } from '../../../platform/held-back.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { withoutTrailingSlashes } from '../../../platform/trailing-slashes.js';
import { appUrl } from '../app-url.js';
import { fillApiUrl } from './api-url.js';
import { type AppAnswer, type CallBudget } from './call-budget.js';
import { type Connection, type Connections, type ConnectionOf, isRenewable } from './connections.js';
import { type DeadConnections } from './dead-connections.js';
import { placed, withParameter } from './placement.js';

/** When a caller tries again that found no free slot, in milliseconds. */
const BUSY_MS = 5_000;

/** Where to send a request to a connected application. Names of headers are in lower case. */
export interface AppRequest {
  integrationId: string;
  url: string;
  /** Headers that the caller's own ones replace. */
  defaults: Record<string, string>;
  /** Headers that replace the caller's own ones. */
  credentials: Record<string, string>;
}

/** The caller of an application. */
export interface AppCaller {
  accountId: string;
  /** How many runs in a row led to the call. */
  hops: number;
  /** Ends the wait for a slot. The call itself is aborted by its sender. */
  signal: AbortSignal;
}

/** The target of a call: a connection, and a path below the application's base URL. */
export type AppTarget = ConnectionOf & {
  path: string;
  /** Whether path and query are sent byte by byte, not normalised. Then the path may be empty: the base URL itself. */
  isVerbatim?: boolean;
  /** False for a body that can be sent only once: then a 401 is returned, and the next call has a new token. */
  isRepeatable?: boolean;
};

/** The dependencies of `AppAccess`. */
export interface AppAccessDependencies {
  connections: Connections;
  dead: DeadConnections;
  budget: CallBudget;
  targets: TargetLimits;
  /** Whether this service knows an integration type. */
  offersType: (type: string) => boolean;
}

/** Makes every call to a connected application, so that budgets are kept and dead connections are noticed. */
export class AppAccess {
  readonly offersType: (type: string) => boolean;

  constructor(private readonly deps: AppAccessDependencies) {
    this.offersType = deps.offersType;
  }

  /**
   * Calls `send` with URL and credentials. After a 401, calls it again with a renewed token if renewal is possible.
   * After another 401, checks the connection before this returns.
   * @returns the last result of `send`; its `status` is undefined if the application did not respond.
   * @throws HeldBackError without a call; AppError `not_found` for a connection that the account doesn't have,
   * `not_connected` if it is not or no longer connected, `conflict` if it must be reconnected, `validation_error` if the
   * path would leave the base URL, `provider_unavailable` if a token could not be renewed.
   */
  async call<T extends AppAnswer>(
    caller: AppCaller,
    target: AppTarget,
    send: (request: AppRequest) => Promise<T>,
  ): Promise<T> {
    const { connections, dead } = this.deps;
    const opened = await connections.open(caller.accountId, target);
    const { answer, connection } = await connections.use(
      opened,
      (present) => this.callOnce(caller, requestOf(present, target), present.uuid, send),
      // A token that was refused right after its renewal is not renewed again for a minute.
      ({ status }) => status === 401 && opened.unauthorized !== 'now' && target.isRepeatable !== false,
      (refused) => refused.close?.(),
    );
    const isRenewedOnly = target.isRepeatable === false && opened.unauthorized !== 'now' && isRenewable(opened);
    if (answer.status === 401 && isRenewedOnly) await connections.renew(opened);
    else if (answer.status === 401) await dead.unauthorized(connection, caller.hops);
    else if (answer.status !== undefined) await dead.answered(connection);
    return answer;
  }

  private async callOnce<T extends AppAnswer>(
    { accountId, signal }: AppCaller,
    request: AppRequest,
    uuid: string,
    send: (request: AppRequest) => Promise<T>,
  ): Promise<T> {
    const { host } = new URL(request.url);
    const leave = await this.deps.targets.enter(host, accountId, signal);
    if (leave === undefined) throw new HeldBackError('busy', `Too many calls to ${host} are under way.`, BUSY_MS);
    let ended: Promise<void> | undefined;
    try {
      const answer = await this.deps.budget.spend({ uuid, accountId }, () => send(request));
      ended = answer.ended;
      return answer;
    } finally {
      if (ended === undefined) leave();
      else void ended.then(leave);
    }
  }
}

function requestOf({ uuid, app, parameters, credentials }: Connection, { path, isVerbatim }: AppTarget): AppRequest {
  const base = fillApiUrl(app.apiBaseUrl, app, parameters, credentials);
  const checked = appUrl(base, path);
  const url = isVerbatim ? verbatim(base, path) : checked.href;
  const { in: place, name, value } = placed(app, credentials);
  return {
    integrationId: toPublicId('int', uuid),
    url: place === 'query' ? withParameter(url, name, value) : url,
    defaults: Object.fromEntries(Object.entries(app.apiHeaders).map(([key, text]) => [key.toLowerCase(), text])),
    credentials: place === 'header' ? { [name]: value } : {},
  };
}

/** The base URL is normalised, what follows is not. */
function verbatim(base: string, path: string): string {
  const { origin, pathname } = new URL(base);
  return path.startsWith('/') ? origin + withoutTrailingSlashes(pathname) + path : origin + pathname + path;
}
