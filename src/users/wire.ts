import { type AccountService } from '../accounts/account.service.js';
import { type Feature } from '../feature.js';
import { type Floor } from '../floor.js';
import { type MailQueue } from '../mail/mail-queue.js';
import { AttemptLimits } from './attempt-limits.js';
import { type AuthRouterOptions } from './auth.router.js';
import { createAuthLibrary } from './auth-library.js';
import { InvitationResolver } from './invitation.resolver.js';
import { InvitationService } from './invitation.service.js';
import { Joining } from './joining.js';
import { KnownBrowser } from './known-browser.js';
import { OidcSignIn, type OidcSignInParts } from './oidc.js';
import { OidcProtocol } from './oidc-protocol.js';
import { OidcUsers } from './oidc-users.js';
import { PasswordResetService } from './password-reset.service.js';
import { PersonSessions } from './person-sessions.js';
import { SessionCookie } from './session-cookie.js';
import { SetUp } from './set-up.js';
import { SignIn } from './sign-in.js';
import { UserResolver } from './user.resolver.js';
import { UserService } from './user.service.js';

interface Needs {
  accounts: AccountService;
  mails: MailQueue;
}

/** People and how they sign in, as the rest of the service needs them. */
export interface Users extends Feature {
  service: UserService;
  sessions: PersonSessions;
  setUp: SetUp;
  /** For `/auth/*`. */
  router: Omit<AuthRouterOptions, 'bodies' | 'clientOf' | 'sendError'>;
}

/** Puts the feature together. Nothing runs yet. */
export function wireUsers(floor: Floor, { accounts, mails }: Needs): Users {
  const { config, db, clock, secrets, logger, notifications, smtp } = floor;
  const { baseUrl } = config;
  const cookieSecrets = secrets.derive('sessions');
  const [secret] = cookieSecrets;
  const cookie = new SessionCookie(baseUrl, cookieSecrets);
  const library = createAuthLibrary({ db, clock, notifications, logger, baseUrl, secret, cookie });
  const service = new UserService(db, clock, notifications);
  const sessions = new PersonSessions(db, clock, cookie, baseUrl);
  const setUp = new SetUp(db, clock, accounts, baseUrl);
  const limits = new AttemptLimits(clock, config.rateLimits !== undefined);
  const invitations = new InvitationService(db, clock, mails, baseUrl, limits);
  const provider = floor.oidc?.name;
  const resets = new PasswordResetService({ db, clock, notifications, mails, logger, baseUrl, provider });
  const signIn = new SignIn(db, library, cookie, limits, new KnownBrowser({ secrets, clock, baseUrl }));
  const joining = new Joining(db, clock, notifications);
  const admitted = new OidcUsers(db, clock, notifications, joining);
  const oidc = createOidc(floor, admitted, limits, (asker, userId) => signIn.byUser(asker, userId));
  return {
    service,
    sessions,
    setUp,
    resolvers: [new UserResolver(service), new InvitationResolver(invitations)],
    jobs: [sessions.job()],
    stop: () => resets.settled(),
    router: {
      signIn,
      setUp,
      joining,
      resets,
      users: service,
      sessions,
      cookie,
      limits,
      oidc,
      sendsMail: smtp !== undefined,
      baseUrl,
      proxies: config.proxies,
      logger,
    },
  };
}

function createOidc(
  { config: { baseUrl }, secrets, clock, logger, outbound, oidc }: Floor,
  users: OidcUsers,
  limits: AttemptLimits,
  signIn: OidcSignInParts['signIn'],
): OidcSignIn | undefined {
  if (oidc === undefined) return undefined;
  const protocol = new OidcProtocol(oidc, `${baseUrl}/auth/oidc/callback`, outbound);
  return new OidcSignIn({ name: oidc.name, protocol, users, limits, secrets, clock, logger, baseUrl, signIn });
}
