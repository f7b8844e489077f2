import { wireAccounts } from '../features/accounts/wire.js';
import { wireActions } from '../features/actions/wire.js';
import { type ApiKeyService } from '../features/api-keys/api-key.service.js';
import { wireApiKeys } from '../features/api-keys/wire.js';
import { type EventStore } from '../features/triggers/app-events/event-store.js';
import { wireAuditLog } from '../features/audit-log/wire.js';
import { wireAppEvents } from '../features/triggers/app-events/wire.js';
import { wireEncryption } from '../features/encryption/wire.js';
import { type Feature, gather } from '../platform/feature.js';
import { NodeResolver } from '../platform/graphql/nodes.js';
import { type Platform } from '../platform/platform.js';
import { type HookStore } from '../features/triggers/hooks/hook-store.js';
import { wireHooks } from '../features/triggers/hooks/wire.js';
import { type Idempotency } from '../features/idempotency/idempotency.service.js';
import { wireIdempotency } from '../features/idempotency/wire.js';
import { type AppRegistry } from '../features/integrations/apps/registry.js';
import { type ConnectSessions } from '../features/integrations/connect/connect-session.service.js';
import { type ApplicationProxy } from '../features/integrations/calls/application-proxy.js';
import { type ConnectPages, wireIntegrations } from '../features/integrations/wire.js';
import { wireMail } from '../platform/mail/wire.js';
import { endRunsWithWorkflow, lockOpenRuns } from '../features/runs/control/deleted-workflows.js';
import { wireSandbox } from '../features/sandbox/wire.js';
import { KEPT_LENGTH } from '../features/runs/execution/run-space.js';
import { RunQueue } from '../features/runs/queue/run-queue.js';
import { RecentTexts } from '../platform/caches/recent-texts.js';
import { endStreak } from '../features/runs/failures/streaks.js';
import { wireRuns } from '../features/runs/wire.js';
import { armSchedules } from '../features/triggers/schedules/arm-schedules.js';
import { wireSchedules } from '../features/triggers/schedules/wire.js';
import { followIntegrations } from '../features/triggers/changes/follow-integrations.js';
import { recordDeletedTriggers } from '../features/triggers/changes/record-deleted-triggers.js';
import { wireTriggerRuns, wireTriggers } from '../features/triggers/wire.js';
import { type Users, wireUsers } from '../features/users/wire.js';
import { KeyWatch } from '../features/authentication/key-watch.js';
import { LongPolls } from '../platform/long-poll.js';
import { answerForConnection, followConnections } from '../features/waits/connections/follow-connections.js';
import { type Waits, type WaitStore, wireWaits, wireWaitStore } from '../features/waits/wire.js';
import { wireEventLog } from '../features/webhooks/log/wire.js';
import { wireWebhooks } from '../features/webhooks/wire.js';
import { wireWorkflows } from '../features/workflows/wire.js';

/** All features: their combined parts, and the services that transports use by name. */
export interface Features extends Required<Feature> {
  users: Users;
  keyWatch: KeyWatch;
  apiKeys: ApiKeyService;
  idempotency: Idempotency;
  connectSessions: ConnectSessions;
  connectPages: ConnectPages;
  proxy: ApplicationProxy;
  hooks: HookStore;
  appEvents: EventStore;
  waits: Pick<WaitStore, 'tokens'> & Pick<Waits, 'answers' | 'retried' | 'approvals' | 'connections'>;
}

/**
 * Wires the features by hand. Each depends on those above it; its second argument names the parts it uses. A feature
 * that must notify a dependent one takes a function instead. Nothing is started yet.
 */
export function wire(platform: Platform, apps: AppRegistry): Features {
  const keyWatch = new KeyWatch(platform.db, platform.clock, platform.logger, platform.notifications);
  const { db, clock, notifications, queues } = platform;
  const polls = new LongPolls(platform.listeners, keyWatch, platform.siblings?.places('waits'));
  const inputs = new RecentTexts(platform.config.roles.has('worker') ? KEPT_LENGTH : 0);
  const queue = new RunQueue(queues, notifications, db, clock, platform.stored, inputs);

  const mail = wireMail(platform);
  const waitStore = wireWaitStore(platform, { queue, mails: mail.ofSteps });
  const endings = {
    before: [lockOpenRuns, recordDeletedTriggers],
    after: [endRunsWithWorkflow(notifications, waitStore.ofRuns), endStreak],
  };
  const accounts = wireAccounts(platform, { mails: mail.queue });
  const users = wireUsers(platform, { accounts: accounts.service, mails: mail.queue });
  const apiKeys = wireApiKeys(platform, { accounts: accounts.service, users: users.service });
  const idempotency = wireIdempotency(platform);
  const webhooks = wireWebhooks(platform, { mail: accounts.mail, urls: waitStore.urls });
  const eventLog = wireEventLog(platform, { polls, urls: waitStore.urls });
  const integrations = wireIntegrations(platform, {
    apps,
    mail: accounts.mail,
    polls,
    followers: [followIntegrations(apps)],
    preparers: [followConnections(waitStore.ofConnections)],
    onReference: answerForConnection(waitStore.ofConnections),
  });
  const applications = integrations.access;
  const workflows = wireWorkflows(platform, { endings, followStatus: armSchedules });
  const actions = wireActions(platform, apps);
  const triggers = wireTriggers(platform, {
    workflows: workflows.service,
    actions: actions.service,
    events: apps,
  });
  const runs = wireRuns(platform, {
    workflows: workflows.service,
    actions: actions.service,
    applications,
    queue,
    mails: mail.ofSteps,
    accountMail: accounts.mail,
    polls,
    waits: waitStore.ofRuns,
    waitUrls: (purpose, place) => waitStore.tokens.url(purpose, place),
  });
  const waits = wireWaits(platform, {
    store: waitStore,
    runs: runs.service,
    actions: actions.service,
    polls,
    apps,
    connect: { page: integrations.pages.session, sessions: integrations.sessions },
    nameOf: async (context) =>
      (await users.service.current(context))?.email ?? (await apiKeys.service.current(context))?.label ?? null,
  });
  const schedules = wireSchedules(platform, { queue });
  const hooks = wireHooks(platform, { queue });
  const appEvents = wireAppEvents(platform, { apps, queue });

  const below = [
    mail,
    accounts,
    users,
    apiKeys,
    idempotency,
    webhooks,
    eventLog,
    integrations,
    workflows,
    actions,
    triggers,
  ];
  const features = gather([
    ...below,
    runs,
    wireTriggerRuns({ runs: runs.service }),
    waits,
    schedules,
    hooks,
    appEvents,
    wireAuditLog(platform),
    wireEncryption(platform),
    wireSandbox(platform),
  ]);
  return {
    ...features,
    resolvers: [...features.resolvers, new NodeResolver(features.nodes)],
    users,
    keyWatch,
    apiKeys: apiKeys.service,
    idempotency: idempotency.service,
    connectSessions: integrations.sessions,
    connectPages: integrations.pages,
    proxy: integrations.proxy,
    hooks: hooks.store,
    appEvents: appEvents.store,
    waits: { tokens: waitStore.tokens, ...waits },
  };
}
