import { betterAuth } from 'better-auth/minimal';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { authAdapter, userIsGone } from './auth-adapter.js';
import { type PasswordTurns } from './password-turns.js';
import { type SessionCookie } from './session-cookie.js';

/** How long an unused session lasts, in seconds. Each day of use extends it to this length again. */
export const SESSION_SECONDS = 14 * 86_400;
/** The minimum and maximum length of a password, in characters. */
export const PASSWORD = { min: 10, max: 128 } as const;
/** The header that passes the client's address to the library, which reads it from nowhere else. */
export const ADDRESS_HEADER = 'x-client-address';

/** What configuring the library needs. */
export interface AuthLibraryDependencies {
  db: Database;
  clock: Clock;
  notifications: Notifications;
  logger: Logger;
  baseUrl: string;
  secret: string;
  cookie: SessionCookie;
  passwords: PasswordTurns;
}

/**
 * The parts of better-auth in use: passwords, sessions and their cookie. Its router is never mounted; only `api` is
 * called.
 */
export type AuthLibrary = ReturnType<typeof createAuthLibrary>;

/** Configures better-auth for the tables, cookie and clock of this service. */
export function createAuthLibrary(deps: AuthLibraryDependencies) {
  const { db, clock, notifications, logger, baseUrl, secret, cookie, passwords } = deps;
  const attributes = { httpOnly: true, sameSite: 'lax', secure: cookie.isSecure, path: '/' } as const;
  return betterAuth({
    baseURL: baseUrl,
    basePath: '/auth',
    secret,
    trustedOrigins: [new URL(baseUrl).origin],
    telemetry: { enabled: false },
    // `AttemptLimits` does this in the router; the library would trust any forwarded address.
    rateLimit: { enabled: false },
    logger: { log: (level, message) => logger.debug({ level }, `sign-in: ${message}`) },
    database: authAdapter({ db, clock, notifications }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD.min,
      // The library counts UTF-16 units; the length in characters was validated before.
      maxPasswordLength: 2 * PASSWORD.max,
      password: { hash: passwords.hash, verify: passwords.verify },
    },
    advanced: {
      useSecureCookies: false,
      defaultCookieAttributes: attributes,
      cookies: { session_token: { name: cookie.name, attributes } },
      cookiePrefix: cookie.name,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => newUuid(clock.now()) },
    },
    ...SCHEMA,
    databaseHooks: { session: { create: { before: async () => ({ data: lifeFrom(clock.now()) }) } } },
    plugins: [{ id: 'sign-in', endpoints: { signInUser } }],
  });
}

/** The timestamps of a new session, by the service's clock. */
function lifeFrom(now: Date): { createdAt: Date; updatedAt: Date; expiresAt: Date } {
  return { createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1_000) };
}

/** Signs in a user who was authenticated elsewhere, by a link or by OIDC. Not reachable over HTTP. */
const signInUser = createAuthEndpoint.serverOnly({ method: 'POST' }, async (context) => {
  const { userId } = context.body as { userId: string };
  const user = await context.context.internalAdapter.findUserById(userId);
  const session = user && (await context.context.internalAdapter.createSession(userId));
  if (!session) throw userIsGone();
  await setSessionCookie(context, { session, user });
  return context.json({ token: session.token });
});

/** Maps the library's tables and columns to this service's names. */
const SCHEMA = {
  user: {
    modelName: 'users',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    additionalFields: { owner: { type: 'string', fieldName: 'account_id', input: false, required: false } },
  },
  session: {
    modelName: 'user_sessions',
    expiresIn: SESSION_SECONDS,
    disableSessionRefresh: true,
    fields: {
      userId: 'user_id',
      token: 'digest',
      expiresAt: 'expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
  },
  account: {
    modelName: 'user_credentials',
    fields: {
      userId: 'user_id',
      providerId: 'provider',
      accountId: 'subject',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
} as const;
