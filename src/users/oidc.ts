import { type IncomingMessage, type ServerResponse } from 'node:http';
import * as oauth from 'oauth4webapi';
import { type Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { errorFields, type Logger } from '../logger.js';
import { type Secrets } from '../secrets.js';
import { type AttemptLimits } from './attempt-limits.js';
import { type OidcProtocol, type Trip } from './oidc-protocol.js';
import { NotAdmittedError, type OidcUsers } from './oidc-users.js';
import { type Asker, type SignedIn } from './sign-in.js';

/** How long a person may take at the issuer, in milliseconds. */
const TRIP_MS = 600_000;
/** The trip is sealed for nobody but this cookie. */
const SEAL = { accountId: '', table: 'oidc_cookie', id: '' };

/** Why a sign-in by OIDC ended at the sign-in page, whose address says it as `error`. */
export type OidcFailure =
  'access_denied' | 'expired' | 'rate_limited' | 'sign_in_failed' | 'provider_unavailable' | NotAdmittedError['reason'];

export interface OidcSignInParts {
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

interface SealedTrip extends Trip {
  returnTo: string;
  endsAt: number;
}

/** Sign-in by the issuer of the configuration. What belongs to a trip travels in a sealed cookie of the browser that began it. */
export class OidcSignIn {
  private readonly cookie: string;

  constructor(private readonly its: OidcSignInParts) {
    this.cookie = its.baseUrl.startsWith('https:') ? '__Host-workflow_sign_in' : 'workflow_sign_in';
  }

  /** As the sign-in page calls the issuer. */
  get name(): string {
    return this.its.name;
  }

  /** Sends the browser to the issuer; `return_to` is a path of ours. */
  async start(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { protocol, clock } = this.its;
    const trip = protocol.newTrip();
    try {
      const url = await protocol.authorizationUrl(trip);
      const returnTo = this.ownPath(queryOf(request).get('return_to'));
      this.set(response, { ...trip, returnTo, endsAt: clock.now().getTime() + TRIP_MS });
      redirect(response, url);
    } catch (error) {
      this.fail(response, 'provider_unavailable', error);
    }
  }

  /** Takes the browser back from the issuer and signs the person in, or says at the sign-in page why not. */
  async finish(asker: Asker, response: ServerResponse): Promise<void> {
    const { protocol, users, limits, clock, signIn } = this.its;
    const trip = this.read(asker.request);
    this.set(response, undefined);
    if (trip === undefined || trip.endsAt <= clock.now().getTime()) return this.fail(response, 'expired');
    try {
      // Whoever has a trip can send codes that are none, of which the issuer is asked each time.
      const giveBack = limits.take({ address: asker.address });
      const identity = await protocol.identify(queryOf(asker.request), trip);
      const { cookies } = await signIn(asker, await users.admit(identity));
      giveBack();
      response.appendHeader('set-cookie', cookies);
      redirect(response, trip.returnTo);
    } catch (error) {
      this.fail(response, failureOf(error), error);
    }
  }

  private fail(response: ServerResponse, failure: OidcFailure, error?: unknown): void {
    if (failure === 'sign_in_failed' || failure === 'provider_unavailable') {
      this.its.logger.warn(errorFields(error), 'sign-in by OIDC failed');
    }
    redirect(response, `/sign-in?error=${failure}`);
  }

  private set(response: ServerResponse, trip: SealedTrip | undefined): void {
    const value = trip === undefined ? '' : this.its.secrets.seal(JSON.stringify(trip), SEAL);
    const age = trip === undefined ? 0 : TRIP_MS / 1_000;
    const secure = this.its.baseUrl.startsWith('https:') ? '; Secure' : '';
    response.appendHeader(
      'set-cookie',
      `${this.cookie}=${value}; Max-Age=${age}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
  }

  private read({ headers: { cookie = '' } }: IncomingMessage): SealedTrip | undefined {
    const part = cookie.split(';').find((pair) => pair.trim().startsWith(`${this.cookie}=`));
    if (part === undefined) return undefined;
    try {
      return JSON.parse(this.its.secrets.open(part.trim().slice(this.cookie.length + 1), SEAL)) as SealedTrip;
    } catch {
      return undefined;
    }
  }

  /** Never another origin, however it is written. */
  private ownPath(given: string | null): string {
    const { origin } = new URL(this.its.baseUrl);
    const url =
      given !== null && given.startsWith('/') && URL.canParse(given, origin) ? new URL(given, origin) : undefined;
    const path = url?.origin === origin ? url.pathname + url.search : '/';
    // The path of `/.//host` is `//host`, which names another origin once it stands alone.
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
