import { LONG_BYTES, type LongWork } from '../../../platform/admission/long-work.js';
import { AppError } from '../../../platform/errors.js';
import { HeldBackError } from '../../../platform/held-back.js';
import { type Outbound } from '../../../platform/http/outbound/outbound.js';
import { OutboundError } from '../../../platform/http/outbound/outbound-error.js';
import { type OutboundResponse } from '../../../platform/http/outbound/outbound-response.js';
import { blockMs } from '../../../platform/http/outbound/retry-after.js';
import { type App, type AuthKind, authOf } from '../apps/app.js';
import { textAt } from '../apps/text-at.js';
import { fillAppUrl } from '../apps/urls/fill-url-template.js';
import { fillApiUrl } from './api-url.js';
import { type CallBudget } from './call-budget.js';
import { type Credentials } from './credentials.js';
import { placed, withParameter } from './placement.js';

const VERIFY_TIMEOUT_MS = 5_000;
/** The list of organizations of an accountant, from which the first is read, has hundreds of kilobytes. */
export const MAX_IDENTITY_BYTES = 1_048_576;
/** The characters of an account's id at the application, and of its name. */
export const MAX_IDENTITY_LENGTH = 255;

/** The account at the application that credentials belong to. */
export interface ExternalAccount {
  id: string;
  name: string | null;
}

type Values = Readonly<Record<string, string>>;

/** An application as an account uses it. */
interface Asked {
  app: App;
  parameters: Values;
  accountId: string;
  /** The integration whose budget a request uses; absent if there is none yet. */
  uuid?: string;
}

/** A connection with its credentials. */
interface ProbedConnection extends Asked {
  uuid: string;
  credentials: Credentials;
}

/**
 * The result of a check: the credentials work, are refused, or could not be checked. The last three are also the reasons
 * that `testIntegration` returns.
 */
export type Check = 'ok' | 'refused' | 'verification_failed' | 'provider_unavailable' | 'rate_limited';

/** Whether the app defines a request that checks credentials of that kind. */
export function isVerifiable({ identity }: App, kind: AuthKind): boolean {
  return kind === 'api_key' || identity !== null;
}

/** Asks applications whether credentials work, and for their account. */
export class Probe {
  constructor(
    private readonly outbound: Outbound,
    private readonly budget: CallBudget,
    private readonly longWork: LongWork,
  ) {}

  /**
   * Checks the credentials of a connection, within its budget, by one request of a verifiable app: `verify` for a key,
   * else `identity`. @throws AppError `conflict` of `fillApiUrl`.
   */
  async check({ credentials, ...asked }: ProbedConnection): Promise<Check> {
    try {
      if ('apiKey' in credentials) await this.verifyKey(asked, credentials.apiKey);
      else await this.identify(asked, credentials, VERIFY_TIMEOUT_MS);
      return 'ok';
    } catch (error) {
      if (error instanceof HeldBackError) return 'rate_limited';
      if (error instanceof AppError && error.code === 'conflict') throw error;
      if (error instanceof AppError) return error.code === 'invalid_credentials' ? 'refused' : 'provider_unavailable';
      if (!(error instanceof RefusedError) || error.status >= 500) return 'provider_unavailable';
      return error.status === 401 ? 'refused' : 'verification_failed';
    }
  }

  /**
   * Checks an API key at its application. @throws AppError `invalid_credentials` if it is refused (400, 401, 403),
   * `provider_unavailable` without a clear response within 5 s.
   */
  async verifyKey(asked: Asked, apiKey: string): Promise<void> {
    const { app, parameters } = asked;
    const { method, url, ok } = authOf(app, 'api_key')!.verify;
    const request = { method, url: fillAppUrl(app, url, parameters), timeoutMs: VERIFY_TIMEOUT_MS };
    const response = await this.ask(asked, { apiKey }, request).catch(unavailable(app));
    if (ok.includes(response.status)) return;
    if ([400, 401, 403].includes(response.status)) {
      throw refusedKey(app);
    }
    throw new AppError('provider_unavailable', `${app.name} answered with status ${response.status}. Try again later.`);
  }

  /**
   * The account of the credentials; undefined if the app defines no identity request. @throws Error if that request
   * fails.
   */
  async identify(asked: Asked, credentials: Credentials, timeoutMs: number): Promise<ExternalAccount | undefined> {
    const { app, parameters, accountId } = asked;
    if (app.identity === null) return undefined;
    const url = fillApiUrl(app.identity.url, app, parameters, credentials);
    const response = await this.ask(asked, credentials, { method: 'GET', url, timeoutMs });
    if (response.status < 200 || response.status > 299) throw new RefusedError(app, response.status);
    const { length } = response.body;
    await (length > LONG_BYTES ? this.longWork.turn(accountId) : this.longWork.piece(accountId, length));
    const body = response.json();
    const id = textAt(body, app.identity.id);
    // The beginning of an id may be that of another account, too.
    if (!id || id.length > MAX_IDENTITY_LENGTH) throw new RefusedError(app, response.status);
    return { id, name: beginningOf(textAt(body, app.identity.name)) };
  }

  /** @throws HeldBackError if the budget allows no request, or the application asks to wait. */
  private async ask(
    { app, accountId: account, uuid }: Asked,
    credentials: Credentials,
    { method, url, timeoutMs }: { method: string; url: string; timeoutMs: number },
  ): Promise<OutboundResponse> {
    const { in: place, name, value } = placed(app, credentials);
    const headers = { accept: 'application/json', ...app.apiHeaders, ...(place === 'header' && { [name]: value }) };
    const address = place === 'query' ? withParameter(url, name, value) : url;
    const limits = { timeoutMs, maxBytes: MAX_IDENTITY_BYTES, trust: 'operator' } as const;
    const send = () => this.outbound.request({ url: address, method, headers, account, ...limits });
    if (uuid === undefined) return send();
    const { response, status, retryAfter } = await this.budget.spend({ uuid, accountId: account }, async () => {
      const response = await send();
      return { response, status: response.status, retryAfter: response.headers['retry-after'] };
    });
    if (status !== 429) return response;
    throw new HeldBackError('blocked', `${app.name} asked to wait.`, blockMs(status, retryAfter, new Date())!);
  }
}

/** Thrown by `identify` for a response that does not name the account. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor(
    app: App,
    readonly status: number,
  ) {
    super(`${app.name} did not say whose account it is (status ${status}).`);
  }
}

/** A name, cut to its first code points. */
function beginningOf(name: string | undefined): string | null {
  if (name === undefined || name.length <= MAX_IDENTITY_LENGTH) return name ?? null;
  return Array.from(name.slice(0, 2 * MAX_IDENTITY_LENGTH))
    .slice(0, MAX_IDENTITY_LENGTH)
    .join('');
}

function refusedKey({ name }: App): AppError {
  const message = `${name} refused the API key.`;
  return new AppError('invalid_credentials', message, { details: [{ field: 'credentials.api_key', message }] });
}

function unavailable(app: App) {
  return (error: unknown): never => {
    if (!(error instanceof OutboundError)) throw error;
    // A key that can't be sent in a header can't be valid.
    if (error.reason === 'invalid_request') throw refusedKey(app);
    throw new AppError('provider_unavailable', `${app.name} could not be asked (${error.reason}). Try again later.`);
  };
}
