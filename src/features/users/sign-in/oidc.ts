import { type IncomingMessage, type ServerResponse } from 'node:http';
import * as oauth from 'oauth4webapi';
import { type Clock } from '../../../platform/clock.js';
import { AppError } from '../../../platform/errors.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type AttemptLimits } from './attempt-limits.js';
import { type OidcProtocol, type AuthRequest } from './oidc-protocol.js';
import { type Applicant, type Choice, NotAdmittedError, type OidcUsers } from './oidc-users.js';
import { SealedCookie } from './sealed-cookie.js';
import { type Asker, type SignedIn } from './sign-in.js';

/** How long a person may take at the issuer, in milliseconds. */
const AUTH_REQUEST_MS = 600_000;
/** How long a person may take to choose an account, in milliseconds. */
const CHOICE_MS = 600_000;
/** The longest `return_to`: the parser of URLs takes 10 µs for each character of a host beyond ASCII. */
const MAX_RETURN_TO = 2_048;
/** The page where an account is chosen. */
const CHOICE_PAGE = '/choose-account';

/** Why a sign-in by OIDC failed: the `error` in the query of the sign-in page. */
export type OidcFailure =
  'access_denied' | 'expired' | 'rate_limited' | 'sign_in_failed' | 'provider_unavailable' | NotAdmittedError['reason'];

/** What sign-in by OIDC needs. */
export interface OidcSignInDependencies {
  name: string;
  protocol: OidcProtocol;
  users: OidcUsers;
  limits: AttemptLimits;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  baseUrl: string;
  signIn: (asker: Asker, userId: string) => Promise<SignedIn>;
}

interface SealedAuthRequest extends AuthRequest {
  returnTo: string;
}

interface SealedChoice {
  applicant: Applicant;
  returnTo: string;
}

/** The result of a choice: the session's cookies, and the path to continue at. */
export interface Chosen extends SignedIn {
  returnTo: string;
}

/** Sign-in at the configured OIDC issuer. The authorization request is kept in a sealed cookie of the browser. */
export class OidcSignIn {
  private readonly authRequest: SealedCookie<SealedAuthRequest>;
  private readonly choice: SealedCookie<SealedChoice>;

  constructor(private readonly deps: OidcSignInDependencies) {
    this.authRequest = new SealedCookie(deps, 'sign_in', AUTH_REQUEST_MS);
    this.choice = new SealedCookie(deps, 'choice', CHOICE_MS);
  }

  /** The issuer's name on the sign-in page. */
  get name(): string {
    return this.deps.name;
  }

  /** Redirects the browser to the issuer; `return_to` is a path of this service. */
  async start(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { protocol } = this.deps;
    const authRequest = protocol.newAuthRequest();
    try {
      const url = await protocol.authorizationUrl(authRequest);
      const returnTo = this.ownPath(queryOf(request).get('return_to'));
      this.authRequest.set(response, { ...authRequest, returnTo });
      redirect(response, url);
    } catch (error) {
      this.fail(response, 'provider_unavailable', error);
    }
  }

  /**
   * Handles the issuer's callback. Signs a user in, sends an applicant to the choice of an account, and redirects
   * everyone else to the sign-in page with an error.
   */
  async finish(asker: Asker, response: ServerResponse): Promise<void> {
    const { protocol, users, limits, signIn } = this.deps;
    const authRequest = this.authRequest.read(asker.request);
    this.authRequest.clear(response);
    if (authRequest === undefined) return this.fail(response, 'expired');
    try {
      // Limited, because a client with the cookie could make the issuer check any number of invalid codes.
      const giveBack = limits.take({ address: asker.address });
      const identity = await protocol.identify(queryOf(asker.request), authRequest);
      const admitted = await users.admit(identity);
      const { returnTo } = authRequest;
      if ('applicant' in admitted) this.choice.set(response, { ...admitted, returnTo });
      else response.appendHeader('set-cookie', (await signIn(asker, admitted.userId)).cookies);
      giveBack();
      redirect(response, 'applicant' in admitted ? CHOICE_PAGE : returnTo);
    } catch (error) {
      this.fail(response, failureOf(error), error);
    }
  }

  /** The address that the issuer has verified, and the accounts to choose from. @throws AppError `not_found`. */
  async choices(request: IncomingMessage): Promise<{ email: string; choices: Choice[] }> {
    const { applicant } = this.chosenBy(request);
    return { email: applicant.email, choices: await this.deps.users.choices(applicant) };
  }

  /** Joins the account of a choice and signs the person in. @throws AppError `not_found` or `conflict`. */
  async choose(asker: Asker, response: ServerResponse, id: unknown): Promise<Chosen> {
    const { applicant, returnTo } = this.chosenBy(asker.request);
    const userId = await this.deps.users.choose(applicant, String(id));
    const { cookies } = await this.deps.signIn(asker, userId);
    this.choice.clear(response);
    return { cookies, returnTo };
  }

  private chosenBy(request: IncomingMessage): SealedChoice {
    const choice = this.choice.read(request);
    if (choice === undefined) throw new AppError('not_found', 'There is nothing to choose: sign in again.');
    return choice;
  }

  private fail(response: ServerResponse, failure: OidcFailure, error?: unknown): void {
    if (failure === 'sign_in_failed' || failure === 'provider_unavailable') {
      this.deps.logger.warn(errorFields(error), 'sign-in by OIDC failed');
    }
    redirect(response, `/sign-in?error=${failure}`);
  }

  /** The path if it is on this service's origin, however it is written; else `/`. */
  private ownPath(given: string | null): string {
    const { origin } = new URL(this.deps.baseUrl);
    const url = given?.startsWith('/') && given.length <= MAX_RETURN_TO ? URL.parse(given, origin) : null;
    const path = url?.origin === origin ? url.pathname + url.search : '/';
    // The path of `/.//host` is `//host`, which alone names another origin.
    return path.startsWith('//') ? '/' : path;
  }
}

function failureOf(error: unknown): OidcFailure {
  if (error instanceof NotAdmittedError) return error.reason;
  if (error instanceof AppError && error.code === 'rate_limited') return 'rate_limited';
  if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied') return 'access_denied';
  return 'sign_in_failed';
}

function queryOf({ url = '/' }: IncomingMessage): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}
