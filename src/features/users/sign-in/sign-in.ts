import { type IncomingMessage } from 'node:http';
import { type PersonCaller } from '../../../platform/context.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { AppError, validationError } from '../../../platform/errors.js';
import { networkOf } from '../../../platform/http/inbound/client-address.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { textFault } from '../../../platform/validation.js';
import { type AttemptLimits, type Attempts } from './attempt-limits.js';
import { userIsGone } from './auth-adapter.js';
import { ADDRESS_HEADER, type AuthLibrary, PASSWORD } from './auth-library.js';
import { emailFault } from '../email-address.js';
import { type KnownBrowser } from './known-browser.js';
import { type PasswordTurns } from './password-turns.js';
import { type SessionCookie } from './session-cookie.js';
import { passwordChange, settledPassword, storedPassword } from './stored-password.js';

/** The cookies to set after a call to the library. */
export interface SignedIn {
  cookies: string[];
}

/** A request and the address of its client. */
export interface Asker {
  request: IncomingMessage;
  /** As returned by `clientAddress`. */
  address: string;
}

/** How long a sign-in proves that its person is present, in milliseconds. */
const RECENT_MS = 3_600_000;

/** Passwords and sessions through the library: each method calls one of its endpoints, and no others are reachable. */
export class SignIn {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly library: AuthLibrary,
    private readonly cookie: SessionCookie,
    private readonly limits: AttemptLimits,
    private readonly known: KnownBrowser,
    private readonly passwords: PasswordTurns,
  ) {}

  /**
   * @throws AppError `unauthorized` for a wrong address or password, `validation_error` for other input,
   * `rate_limited`.
   */
  async byPassword(asker: Asker, body: Readonly<Record<string, unknown>>): Promise<SignedIn> {
    const email = textOf(body, 'email').toLowerCase();
    const password = textOf(body, 'password');
    const giveBack = this.limits.take(this.guessBy(asker, email));
    const refused = new AppError('unauthorized', 'The email address or the password is wrong.');
    if (emailFault(email) !== undefined || textFault(password, 1, PASSWORD.max) !== undefined) throw refused;
    const verified = await storedPassword(this.db, 'email', email);
    const given = { body: { email, password }, headers: this.headers(asker), asResponse: true } as const;
    const answer = await this.library.api.signInEmail(given);
    if (answer.status === 401) throw refused;
    // A concurrent change of the password ended the existing sessions, but not yet this one.
    if (answer.ok && (await settledPassword(this.db, 'email', email)) !== verified) {
      await this.end(answer);
      throw refused;
    }
    giveBack();
    return this.remembered(answer, email);
  }

  /**
   * Signs in a user who was authenticated by other means. `confirm` runs once the session exists, and its error ends the
   * session: a credential that was deleted at the same time leaves none behind.
   */
  async byUser(asker: Asker, userId: string, confirm?: () => Promise<void>): Promise<SignedIn> {
    const [user] = await this.db.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
    if (user === undefined) throw userIsGone();
    const answer = await this.library.api.signInUser({
      body: { userId },
      headers: this.headers(asker),
      asResponse: true,
    } as never);
    try {
      await confirm?.();
    } catch (error) {
      await this.end(answer);
      throw error;
    }
    return this.remembered(answer, user.email);
  }

  /** Ends the session of the request's cookie, if any. */
  async out(asker: Asker): Promise<SignedIn> {
    return cookiesOf(await this.library.api.signOut({ headers: this.headers(asker), asResponse: true }));
  }

  /** Ends every session of the user who asks. */
  async outEverywhere(asker: Asker): Promise<SignedIn> {
    return cookiesOf(await this.library.api.revokeSessions({ headers: this.headers(asker), asResponse: true }));
  }

  /** @throws AppError `validation_error` naming the field, or `rate_limited`. */
  async changePassword(
    asker: Asker,
    { userId }: PersonCaller,
    body: Readonly<Record<string, unknown>>,
  ): Promise<SignedIn> {
    const currentPassword = textOf(body, 'currentPassword');
    const newPassword = textOf(body, 'newPassword');
    const fault = textFault(newPassword, PASSWORD.min, PASSWORD.max);
    if (fault !== undefined) throw validationError({ field: 'newPassword', message: fault });
    const giveBack = this.limits.take(this.guessFrom(asker, userId));
    const verifiedHash = (await storedPassword(this.db, 'id', userId)) ?? '';
    const endsSessions = body.revokeOtherSessions === true;
    const given = {
      body: { currentPassword, newPassword, revokeOtherSessions: endsSessions },
      headers: this.headers(asker),
      asResponse: true,
    } as const;
    const answer = await passwordChange.run({ verifiedHash, endsSessions }, () =>
      this.library.api.changePassword(given),
    );
    if (answer.status === 400) throw validationError({ field: 'currentPassword', message: 'is not your password' });
    giveBack();
    return cookiesOf(answer);
  }

  /**
   * Checks that the person of a session is present: by the password (`body.password`), or, for a user without one, by a
   * recent sign-in. @throws AppError `validation_error` naming the field, `forbidden`, or `rate_limited`.
   */
  async confirm(
    asker: Asker,
    { userId, sessionId }: PersonCaller,
    body: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const hash = await storedPassword(this.db, 'id', userId);
    if (hash === undefined) return this.confirmRecent(sessionId);
    const password = textOf(body, 'password');
    const giveBack = this.limits.take(this.guessFrom(asker, userId));
    const isRight = await this.passwords.verify({ hash, password });
    if (!isRight) throw validationError({ field: 'password', message: 'is not your password' });
    giveBack();
  }

  private async confirmRecent(sessionId: string): Promise<void> {
    const since = new Date(this.clock.now().getTime() - RECENT_MS);
    const recent = await this.db.query(`SELECT 1 AS one FROM user_sessions WHERE id = $1 AND created_at > $2`, [
      sessionId,
      since,
    ]);
    if (recent.length === 0)
      throw new AppError('forbidden', 'Your sign-in is older than an hour: sign in again first.');
  }

  private guessBy(asker: Asker, email: string): Attempts {
    const browser = this.known.idOf(asker.request, email);
    return browser === undefined ? this.guessFrom(asker, email) : { browser, browsers: email };
  }

  private guessFrom({ address }: Asker, person: string): Attempts {
    return { address, person: `${person} ${networkOf(address)}`, anywhere: person };
  }

  /** The cookies of a response, plus the one of `KnownBrowser`. */
  private remembered(answer: Response, email: string): SignedIn {
    const { cookies } = cookiesOf(answer);
    return { cookies: [...cookies, this.known.header(email)] };
  }

  /** Ends the session in a response of the library, before its cookie is sent. */
  private async end(answer: Response): Promise<void> {
    const { token } = (await answer.json()) as { token: string };
    await this.db.query(`DELETE FROM user_sessions WHERE digest = $1`, [sha256(token)]);
  }

  /**
   * The headers passed to the library. The cookie is signed again, because an older key of the ring may have signed it.
   */
  private headers({ request, address }: Asker): Headers {
    const token = this.cookie.tokenIn(request);
    return new Headers({
      [ADDRESS_HEADER]: address,
      'user-agent': (request.headers['user-agent'] ?? '').slice(0, 500),
      ...(token === undefined ? {} : { cookie: this.cookie.pair(token) }),
    });
  }
}

function cookiesOf(answer: Response): SignedIn {
  if (answer.ok) return { cookies: answer.headers.getSetCookie() };
  if (answer.status === 401) throw new AppError('unauthorized', 'The session has ended: sign in again.');
  throw new Error(`The sign-in library returned ${answer.status}.`);
}

function textOf(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field];
  const fault = textFault(value, 1, 1_000);
  if (fault !== undefined) throw validationError({ field, message: fault });
  return value as string;
}
