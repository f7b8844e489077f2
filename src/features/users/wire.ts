import { nodesOf } from '../../platform/graphql/nodes.js';
import { Invitation } from './invitations/invitation.entity.js';
import { User } from './user.entity.js';
import { type AccountService } from '../accounts/account.service.js';
import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { type MailQueue } from '../../platform/mail/mail-queue.js';
import { AttemptLimits } from './sign-in/attempt-limits.js';
import { type AuthRouterOptions } from './sign-in/auth.router.js';
import { createAuthLibrary } from './sign-in/auth-library.js';
import { InvitationResolver } from './invitations/invitation.resolver.js';
import { InvitationService } from './invitations/invitation.service.js';
import { Joining } from './joining.js';
import { KnownBrowser } from './sign-in/known-browser.js';
import { OidcSignIn, type OidcSignInDependencies } from './sign-in/oidc.js';
import { OidcProtocol } from './sign-in/oidc-protocol.js';
import { OidcUsers } from './sign-in/oidc-users.js';
import { OwnSessions } from './sign-in/own-sessions.js';
import { Challenges } from './passkeys/challenges.js';
import { PasskeyProtocol } from './passkeys/passkey-protocol.js';
import { PasskeySignIn } from './passkeys/passkey-sign-in.js';
import { passkeyRoutes } from './passkeys/passkey.routes.js';
import { Passkeys } from './passkeys/passkeys.js';
import { PasswordTurns } from './sign-in/password-turns.js';
import { PasswordResetService } from './password-reset.service.js';
import { pruneUserSessionsJob } from './sign-in/person-sessions.job.js';
import { PersonSessions } from './sign-in/person-sessions.js';
import { SessionCookie } from './sign-in/session-cookie.js';
import { SetUp } from './set-up.js';
import { SignIn } from './sign-in/sign-in.js';
import { type RouteTools } from './sign-in/visit.js';
import { UserResolver } from './user.resolver.js';
import { UserService } from './user.service.js';

interface Needs {
  accounts: AccountService;
  mails: MailQueue;
}

/** The parts of the feature that the rest of the service uses. */
export interface Users extends Feature {
  service: UserService;
  sessions: PersonSessions;
  setUp: SetUp;
  /** Options of the router of `/auth/*`. */
  router: Omit<AuthRouterOptions, 'bodies' | 'clientOf' | 'refusals'>;
}

/** Wires users, invitations and sign-in. Starts nothing. */
export function wireUsers(platform: Platform, { accounts, mails }: Needs): Users {
  const { config, db, clock, secrets, passwordHash, logger, notifications, smtp, siblings } = platform;
  const { baseUrl } = config;
  const cookieSecrets = secrets.derive('sessions');
  const [secret] = cookieSecrets;
  const cookie = new SessionCookie(baseUrl, cookieSecrets);
  const passwords = new PasswordTurns(passwordHash);
  const { hash } = passwords;
  const library = createAuthLibrary({ db, clock, notifications, logger, baseUrl, secret, cookie, passwords });
  const service = new UserService(db, clock, notifications);
  const sessions = new PersonSessions(db, clock, cookie, baseUrl);
  const setUp = new SetUp({ db, clock, accounts, hash, baseUrl });
  const limits = new AttemptLimits(clock, config.rateLimits !== undefined, siblings?.spending('attempts'));
  const invitations = new InvitationService(db, clock, mails, baseUrl, limits);
  const provider = platform.oidc?.name;
  const resets = new PasswordResetService({ db, clock, notifications, mails, hash, logger, baseUrl, provider });
  const signIn = new SignIn(
    db,
    clock,
    library,
    cookie,
    limits,
    new KnownBrowser({ secrets, clock, baseUrl }),
    passwords,
  );
  const joining = new Joining(db, clock, notifications, hash);
  const admitted = new OidcUsers(db, clock, notifications, joining);
  const oidc = createOidc(platform, admitted, limits, (asker, userId) => signIn.byUser(asker, userId));
  return {
    service,
    sessions,
    setUp,
    resolvers: [new UserResolver(service), new InvitationResolver(invitations)],
    nodes: [
      nodesOf(db, { table: 'users', entity: User, access: 'person' }),
      nodesOf(db, { table: 'invitations', entity: Invitation, access: 'person' }),
    ],
    jobs: [pruneUserSessionsJob(db, clock)],
    stop: () => resets.settled(),
    router: {
      signIn,
      setUp,
      joining,
      resets,
      users: service,
      sessions,
      ownSessions: new OwnSessions(db, clock, notifications),
      ...wirePasskeys(platform, signIn, mails),
      cookie,
      passwords,
      limits,
      oidc,
      sendsMail: smtp !== undefined,
      baseUrl,
      proxies: config.proxies,
      logger,
    },
  };
}

function wirePasskeys({ config: { baseUrl }, db, clock, secrets, logger }: Platform, signIn: SignIn, mails: MailQueue) {
  const challenges = new Challenges(clock, secrets.derive('passkeys'));
  const protocol = new PasskeyProtocol(baseUrl, challenges, logger);
  const passkeys = new Passkeys({ db, clock, mails, protocol, baseUrl });
  const passkeySignIn = new PasskeySignIn({ db, clock, challenges, protocol, signIn });
  return {
    hasPasskeys: protocol.isPossible,
    passkeyRoutes: (tools: RouteTools) => passkeyRoutes({ passkeys, passkeySignIn, signIn }, tools),
  };
}

function createOidc(
  { config: { baseUrl }, secrets, clock, logger, outbound, oidc }: Platform,
  users: OidcUsers,
  limits: AttemptLimits,
  signIn: OidcSignInDependencies['signIn'],
): OidcSignIn | undefined {
  if (oidc === undefined) return undefined;
  const protocol = new OidcProtocol(oidc, `${baseUrl}/auth/oidc/callback`, outbound);
  return new OidcSignIn({ name: oidc.name, protocol, users, limits, secrets, clock, logger, baseUrl, signIn });
}
