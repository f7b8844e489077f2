import { IntegrationConnectionResolver } from './integration.connection.js';
import { integrationNodes } from './integration.nodes.js';
import { type AccountMail } from '../accounts/account-mail.js';
import { ChangeFeed } from '../../platform/changes/change-feed.js';
import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { type LongPolls } from '../../platform/long-poll.js';
import { AppAccess } from './tokens/app-access.js';
import { ApplicationCalls } from './calls/application-calls.js';
import { ApplicationProxy } from './calls/application-proxy.js';
import { CallResolver } from './calls/call.resolver.js';
import { CallBudget } from './tokens/call-budget.js';
import { type AppRegistry } from './apps/registry.js';
import { AuthorizationFlows } from './connect/authorization-flow.js';
import { Connections } from './tokens/connections.js';
import { ConnectSessionResolver } from './connect/connect-session.resolver.js';
import { ConnectSessions } from './connect/connect-session.service.js';
import { pruneConnectSessionsJob } from './connect/connect-sessions.job.js';
import { ConnectService } from './connect/connect.service.js';
import { DirectConnections } from './connect/ways/direct-connections.js';
import { DeadConnections } from './tokens/dead-connections.js';
import { integrationChanges } from './changes/integration-changes.js';
import { IntegrationChangeResolver } from './changes/integration-change.resolver.js';
import { noticeJobs } from './notices/integration-notices.job.js';
import { IntegrationNotices, recordBreaks } from './notices/integration-notices.js';
import { IntegrationSubscriptions } from './changes/integration-subscriptions.js';
import { IntegrationTypeResolver, TypeOfIntegrationResolver } from './integration-type.resolver.js';
import { recordChangeEvents } from './changes/integration-webhook.js';
import { integrationJobs } from './integration.job.js';
import { integrationPruneJobs } from './integration-prune.job.js';
import { IntegrationLinks } from './integration.links.js';
import { IntegrationResolver } from './integration.resolver.js';
import { IntegrationService } from './integration.service.js';
import { IntegrationSettings, type ReferenceFollower } from './integration-settings.js';
import { OAuthCallback } from './connect/callback/oauth-callback.js';
import { OAuthProtocol } from './tokens/oauth-client.js';
import { Probe } from './tokens/probe.js';
import { type ChangeFollower, type ChangePreparer, ChangeRecorder, hintAtChanges } from './changes/record-change.js';
import { SessionPage } from './connect/session-page.js';
import { StartPage } from './connect/start-page.js';
import { TokenRenewal } from './tokens/token-renewal.js';
import { TokenRevocation } from './tokens/token-revocation.js';

interface Needs {
  apps: AppRegistry;
  mail: AccountMail;
  polls: LongPolls;
  /** Called with each change, in its transaction, by higher features. */
  followers: readonly ChangeFollower[];
  /** Called before each change is recorded, in its transaction, by higher features. */
  preparers: readonly ChangePreparer[];
  /** Called with an integration whose reference was set, in that transaction. */
  onReference: ReferenceFollower;
}

type Changing = ReturnType<typeof wireConnections>;

/** The pages that a person's browser shows during a connection. */
export interface ConnectPages {
  callback: OAuthCallback;
  start: StartPage;
  session: SessionPage;
}

interface Integrations extends Feature {
  /** Passes requests on to connected applications. */
  proxy: ApplicationProxy;
  /** Lets actions call connected applications. */
  access: AppAccess;
  /** Finds the callers that hold tokens of connect sessions. */
  sessions: ConnectSessions;
  pages: ConnectPages;
}

/** Connections to applications: the whole life cycle, its listeners, jobs and notices. */
export function wireIntegrations(platform: Platform, needs: Needs): Integrations {
  const { db, clock, secrets, notifications, outbound, targets, logger, config } = platform;
  const { apps, mail, polls, onReference } = needs;
  const { baseUrl } = config;
  const connections = wireConnections(platform, needs);
  const { changes, flows, revocation, renewal, probe, budget } = connections;
  const open = new Connections({ db, secrets, apps, renewal });
  const dead = new DeadConnections({ db, changes, secrets, probe, logger });
  const access = new AppAccess({ connections: open, dead, budget, targets, offersType: apps.offersType });
  const feed = new ChangeFeed(integrationChanges, db, notifications, logger);
  const integrations = new IntegrationService({
    ...connections,
    connections: open,
    dead,
    db,
    clock,
    apps,
    feed,
    polls,
  });
  const notices = new IntegrationNotices({ db, clock, mail, apps, baseUrl });
  const links = new IntegrationLinks(db, clock, secrets, apps, flows, baseUrl);
  const { sessions, connecting, pages } = wireConnecting(platform, needs, connections);
  return {
    access,
    proxy: new ApplicationProxy(db, access, outbound),
    sessions,
    pages,
    resolvers: [
      new IntegrationResolver(
        integrations,
        connecting,
        links,
        new IntegrationSettings(db, clock, secrets, apps, onReference),
      ),
      new IntegrationConnectionResolver(
        (context, filter, span, { counts }) => integrations.list(context, filter, span, counts),
        (context) => integrations.latestChange(context),
      ),
      new IntegrationChangeResolver(new IntegrationSubscriptions(db, feed), links),
      new CallResolver(new ApplicationCalls({ db, clock, access, outbound })),
      new ConnectSessionResolver(sessions),
      new IntegrationTypeResolver(apps, integrations),
      new TypeOfIntegrationResolver(apps),
    ],
    nodes: integrationNodes(db),
    jobs: [
      ...integrationJobs({ db, clock, changes, flows, renewal }),
      ...integrationPruneJobs(db, clock),
      pruneConnectSessionsJob(db, clock),
      ...noticeJobs(notices),
    ],
    metrics: {
      change_listeners: { help: 'Listeners for changes of integrations.', read: () => feed.listeners },
    },
    stop: async () => {
      feed.stop();
      await revocation.stop();
    },
  };
}

/** The services that change connections, on request or in jobs. */
function wireConnections(platform: Platform, { apps, followers, preparers }: Needs) {
  const { config, db, clock, secrets, logger, longWork, outbound, notifications } = platform;
  const { baseUrl } = config;
  const protocol = new OAuthProtocol(outbound, apps, baseUrl, longWork);
  const hint = hintAtChanges(notifications);
  const changes = new ChangeRecorder(clock, [...followers, recordChangeEvents, recordBreaks, hint], preparers);
  const flows = new AuthorizationFlows(secrets, clock, changes, protocol, baseUrl);
  const revocation = new TokenRevocation(protocol, secrets, logger, db, apps);
  const renewal = new TokenRenewal({ db, clock, changes, secrets, apps, protocol, revocation, logger });
  const budget = new CallBudget(db, clock, logger);
  return { protocol, budget, probe: new Probe(outbound, budget, longWork), changes, flows, revocation, renewal };
}

/** The services that create connections: from API calls, connect sessions and pages. */
function wireConnecting({ config, db, clock, secrets, logger }: Platform, { apps }: Needs, connections: Changing) {
  const { baseUrl, corsOrigins } = config;
  const { protocol, probe, changes, flows, revocation } = connections;
  const returnOrigins = new Set([new URL(baseUrl).origin, ...corsOrigins]);
  const sessions = new ConnectSessions({ db, clock, apps, returnOrigins, baseUrl });
  const direct = new DirectConnections({ clock, changes, secrets, probe, flows, revocation });
  const connecting = new ConnectService({ db, clock, changes, secrets, apps, direct, flows, sessions, returnOrigins });
  const start = new StartPage(db, clock, apps, flows, protocol);
  const pages = {
    callback: new OAuthCallback({ db, clock, changes, secrets, apps, protocol, probe, flows, revocation, logger }),
    start,
    session: new SessionPage({ db, apps, sessions, connecting, start }),
  };
  return { sessions, connecting, pages };
}
