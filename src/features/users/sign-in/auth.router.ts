import { type IncomingMessage, type ServerResponse } from 'node:http';
import { authorOf, type PersonCaller } from '../../../platform/context.js';
import { attributeTo } from '../../../platform/admission/origin.js';
import { AppError, toAppError, validationError } from '../../../platform/errors.js';
import { Lanes } from '../../../platform/admission/lanes.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { type BodyBudget } from '../../../platform/admission/body-budget.js';
import { type ResponsePace } from '../../../platform/admission/response-pace.js';
import { workFor } from '../../../platform/admission/work.js';
import { clientAddress } from '../../../platform/http/inbound/client-address.js';
import { heldRefusal } from '../../../platform/http/inbound/held-response.js';
import { bytesToHold, readJson } from '../../../platform/http/inbound/inbound-body.js';
import { sendError, sendJson } from '../../../platform/http/inbound/json-response.js';
import { onceClosed } from '../../../platform/http/inbound/once-closed.js';
import { isSameOrigin } from '../../../platform/http/inbound/same-origin.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type AttemptLimits } from './attempt-limits.js';
import { SESSION_SECONDS } from './auth-library.js';
import { emailFault } from '../email-address.js';
import { type Joining } from '../joining.js';
import { type OidcSignIn } from './oidc.js';
import { type PasswordResetService } from '../password-reset.service.js';
import { type OwnSessions } from './own-sessions.js';
import { type PasswordTurns } from './password-turns.js';
import { type PersonSessions } from './person-sessions.js';
import { type SessionCookie } from './session-cookie.js';
import { type SetUp } from '../set-up.js';
import { type SignedIn, type SignIn } from './sign-in.js';
import { type AuthHandler, type AuthRoutes, type RouteTools, type Visit } from './visit.js';
import { type UserService } from '../user.service.js';

/** What the router needs. */
export interface AuthRouterOptions {
  signIn: SignIn;
  setUp: SetUp;
  joining: Joining;
  resets: PasswordResetService;
  users: UserService;
  sessions: PersonSessions;
  ownSessions: OwnSessions;
  /** The routes of passkeys. */
  passkeyRoutes: (tools: RouteTools) => AuthRoutes;
  /** Whether browsers create passkeys for the host of the service. */
  hasPasskeys: boolean;
  cookie: SessionCookie;
  /** Passwords of a client are hashed in the turns of its network. */
  passwords: Pick<PasswordTurns, 'of'>;
  limits: AttemptLimits;
  /** Undefined if it is not configured. */
  oidc: OidcSignIn | undefined;
  /** Whether mails are sent; otherwise they are only logged. */
  sendsMail: boolean;
  baseUrl: string;
  /** The number of trusted proxies in front of the service. */
  proxies: number;
  /** Limits the bytes of bodies in memory; requests without an account count by the address of `clientOf`. */
  bodies: BodyBudget;
  clientOf: (request: IncomingMessage) => string;
  /** Counts refused attempts by client; undefined while limits are off. */
  refusals: ResponsePace | undefined;
  logger: Logger;
}

/** Handles `/auth/*`. None of the library's own endpoints is reachable. */
export class AuthRouter {
  private readonly origin: string;
  private readonly routes: AuthRoutes;
  private readonly links = new Lanes(1);

  constructor(private readonly deps: AuthRouterOptions) {
    this.origin = new URL(deps.baseUrl).origin;
    this.routes = {
      options: { GET: () => this.options() },
      'set-up': { POST: (visit) => this.setUp(visit) },
      'invitations/:token': { GET: (visit) => this.invitation(visit), POST: (visit) => this.accept(visit) },
      'sign-in/email': { POST: (visit) => this.signIn(visit) },
      'sign-out': { POST: async (visit) => this.answer(visit, await deps.signIn.out(visit)) },
      'get-session': { GET: (visit) => this.session(visit) },
      'change-password': { POST: (visit) => this.changePassword(visit) },
      'request-password-reset': { POST: (visit) => this.requestReset(visit) },
      'reset-password/:token': { GET: (visit) => this.resetLink(visit), POST: (visit) => this.resetPassword(visit) },
      sessions: { GET: (visit) => this.ownSessions(visit) },
      'end-session': { POST: (visit) => this.endSession(visit) },
      'revoke-sessions': { POST: (visit) => this.signOutEverywhere(visit) },
      ...deps.passkeyRoutes({
        person: (visit) => this.person(visit),
        answer: (visit, signedIn) => this.answer(visit, signedIn),
        guarded: (visit, work) => this.guarded(visit, work),
      }),
      'oidc/start': { GET: async (visit) => this.oidc().start(visit.request, visit.response) },
      'oidc/callback': { GET: async (visit) => this.oidc().finish(visit, visit.response) },
      'oidc/choice': { GET: async ({ request }) => this.oidc().choices(request), POST: (visit) => this.choose(visit) },
    };
  }

  /** The paths below `/auth/`. */
  get paths(): string[] {
    return Object.keys(this.routes);
  }

  /** Handles a request below `/auth/`. Never rejects; errors are `{ code, message, details? }`. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('cache-control', 'no-store');
    try {
      const { handler, token } = this.match(request);
      if (request.method === 'POST' && !isSameOrigin(request, this.origin)) {
        throw new AppError('forbidden', 'This request must come from a page of the service itself.');
      }
      const body = request.method === 'POST' ? await this.read(request, response) : {};
      const address = clientAddress(request, this.deps.proxies);
      const visit = { request, response, address, token, body: (body ?? {}) as Visit['body'] };
      // The account may not be known yet. Rows of its sessions may be locked, and waiting for them must not take the
      // connections of workers.
      const result = await workFor(`sign-in of ${this.deps.clientOf(request)}`, () =>
        this.deps.passwords.of(address, () => handler(visit)),
      );
      if (!response.headersSent) sendJson(response, 200, result);
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'internal_error') this.deps.logger.error(errorFields(known.cause), 'sign-in failed');
      await heldRefusal(this.paced(known, request), response);
      sendError(response, known);
    }
  }

  /** A client whose attempts are refused without a pause. */
  private paced(known: AppError, request: IncomingMessage): AppError {
    const { refusals, clientOf } = this.deps;
    const isRefused = known.code === 'rate_limited' || known.code === 'unavailable';
    return isRefused ? known.heldBack(refusals?.next(clientOf(request))) : known;
  }

  private read(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { bodies, clientOf } = this.deps;
    onceClosed(response, bodies.holdUnknown(clientOf(request), bytesToHold(request)));
    return readJson(request, { object: true });
  }

  private match({ url = '/', method }: IncomingMessage): { handler: AuthHandler; token: string } {
    const path = url
      .split('?', 1)[0]!
      .replace(/^\/auth\//, '')
      .replace(/\/$/, '');
    const [, folder, token = ''] = /^(invitations|reset-password)\/([\w-]+)$/.exec(path) ?? [];
    const name = folder === undefined ? path : `${folder}/:token`;
    const route = Object.hasOwn(this.routes, name) && !path.includes(':') ? this.routes[name] : undefined;
    if (route === undefined) throw new AppError('not_found', 'There is nothing at this address.');
    const handler = route[method === 'HEAD' ? 'GET' : (method as 'GET' | 'POST')];
    if (handler !== undefined) return { handler, token };
    const allow = Object.keys(route).join(', ');
    throw new AppError('method_not_allowed', `Use ${allow}.`, { headers: { allow } });
  }

  private async options(): Promise<object> {
    const { oidc, setUp, sendsMail, hasPasskeys } = this.deps;
    const providers = oidc === undefined ? [] : [{ id: 'oidc', name: oidc.name }];
    return { set_up: await setUp.isNeeded(), oidc: providers, mail: sendsMail, passkeys: hasPasskeys };
  }

  private async setUp(visit: Visit): Promise<object> {
    const { token, name, email, password } = visit.body;
    const user = { token, name, email, password };
    const userId = await this.usingLink(visit, String(token), () => this.deps.setUp.complete(user));
    return this.enter(visit, userId);
  }

  private async invitation(visit: Visit): Promise<object> {
    const { joining } = this.deps;
    const invitation = await this.guarded(visit, () => joining.find(visit.token));
    const { email, account } = invitation;
    return { email, account, replaces: await joining.replacedBy(invitation) };
  }

  private async accept(visit: Visit): Promise<object> {
    const { name, password } = visit.body;
    const userId = await this.usingLink(visit, visit.token, () =>
      this.deps.joining.accept(visit.token, { name, password }),
    );
    return this.enter(visit, userId);
  }

  private async choose(visit: Visit): Promise<object> {
    const { returnTo, ...signedIn } = await this.oidc().choose(visit, visit.response, visit.body.id);
    this.answer(visit, signedIn);
    return { return_to: returnTo };
  }

  private async signIn(visit: Visit): Promise<object> {
    return this.answer(visit, await this.deps.signIn.byPassword(visit, visit.body));
  }

  private async session({ request, response }: Visit): Promise<object | null> {
    const { sessions, users, cookie } = this.deps;
    const caller = await sessions.ofRequest(request);
    const user = caller && (await users.find(caller.userId));
    if (user === undefined) return null;
    const end = await sessions.renew(caller!);
    const token = cookie.tokenIn(request)!;
    if (end !== undefined) response.setHeader('set-cookie', cookie.keep(token, SESSION_SECONDS));
    const { id, email, name, createdAt } = user;
    return { user: { id, email, name, createdAt }, session: { expiresAt: end ?? caller!.expiresAt } };
  }

  private async changePassword(visit: Visit): Promise<object> {
    const caller = await this.person(visit);
    return this.answer(visit, await this.deps.signIn.changePassword(visit, caller, visit.body));
  }

  /** The response and its timing are the same whether or not a user has the address. */
  private async requestReset({ request, address, body: { email } }: Visit): Promise<object> {
    const fault = emailFault(email);
    if (fault !== undefined) throw validationError({ field: 'email', message: fault });
    const recipient = (email as string).toLowerCase();
    this.deps.limits.take({ address, recipient });
    const { sessions, users, resets } = this.deps;
    const caller = await sessions.ofRequest(request);
    if (caller !== undefined) attributeTo(authorOf(caller));
    const asker = caller && (await users.find(caller.userId));
    await resets.ask(recipient, { isOwn: asker?.email === recipient });
    return {};
  }

  private async resetLink(visit: Visit): Promise<object> {
    return this.guarded(visit, () => this.deps.resets.find(visit.token));
  }

  private async resetPassword(visit: Visit): Promise<object> {
    const userId = await this.usingLink(visit, visit.token, () =>
      this.deps.resets.use(visit.token, visit.body.password),
    );
    return this.enter(visit, userId);
  }

  private async ownSessions(visit: Visit): Promise<object> {
    return { sessions: await this.deps.ownSessions.list(await this.person(visit)) };
  }

  private async endSession(visit: Visit): Promise<object> {
    await this.deps.ownSessions.end(await this.person(visit), visit.body.id);
    return {};
  }

  private async signOutEverywhere(visit: Visit): Promise<object> {
    await this.person(visit);
    return this.answer(visit, await this.deps.signIn.outEverywhere(visit));
  }

  private async person({ request }: Visit): Promise<PersonCaller> {
    const caller = await this.deps.sessions.ofRequest(request);
    if (caller === undefined) throw new AppError('unauthorized', 'The session has ended: sign in again.');
    attributeTo(authorOf(caller));
    return caller;
  }

  private oidc(): OidcSignIn {
    if (this.deps.oidc === undefined) throw new AppError('not_found', 'Sign-in by OIDC is not configured.');
    return this.deps.oidc;
  }

  private async enter(visit: Visit, userId: string): Promise<object> {
    return this.answer(visit, await this.deps.signIn.byUser(visit, userId));
  }

  private answer({ response }: Visit, { cookies }: SignedIn): object {
    response.appendHeader('set-cookie', cookies);
    return {};
  }

  /** As `guarded`. A link works once: of requests that use it at the same time only the first may hash its password. */
  private usingLink<T>(visit: Visit, token: string, work: () => Promise<T>): Promise<T> {
    return this.guarded(visit, () => this.links.run(sha256(token).toString('latin1'), work));
  }

  /** Counts a failure as an attempt to guess a link. */
  private async guarded<T>({ address }: Visit, work: () => Promise<T>): Promise<T> {
    const giveBack = this.deps.limits.take({ address });
    const result = await work();
    giveBack();
    return result;
  }
}
