import { wireAccounts } from './accounts/wire.js';
import { wireActions } from './actions/wire.js';
import { type ApiKeyService } from './api-keys/api-key.service.js';
import { wireApiKeys } from './api-keys/wire.js';
import { type EventStore } from './app-events/event-store.js';
import { wireAppEvents } from './app-events/wire.js';
import { wireEncryption } from './encryption/wire.js';
import { type Feature, gather } from './feature.js';
import { type Floor } from './floor.js';
import { type HookStore } from './hooks/hook-store.js';
import { wireHooks } from './hooks/wire.js';
import { type Idempotency } from './idempotency/idempotency.service.js';
import { wireIdempotency } from './idempotency/wire.js';
import { type AppRegistry } from './integrations/apps/registry.js';
import { type ConnectSessions } from './integrations/connect-session.service.js';
import { type ConnectPages, wireIntegrations } from './integrations/wire.js';
import { wireMail } from './mail/wire.js';
import { endRunsWithWorkflow, holdOpenRuns } from './runs/deleted-workflows.js';
import { wireRuns } from './runs/wire.js';
import { wireSchedules } from './schedules/wire.js';
import { followIntegrations } from './triggers/follow-integrations.js';
import { tellOfDeletedWorkflow } from './triggers/tell-of-deleted-workflow.js';
import { wireTriggers } from './triggers/wire.js';
import { type Users, wireUsers } from './users/wire.js';
import { Waits } from './waits.js';
import { wireWebhooks } from './webhooks/wire.js';
import { wireWorkflows } from './workflows/wire.js';

/** The features over a floor: what all give, gathered, and what the doors ask of one by name. */
export interface Features extends Required<Feature> {
  users: Users;
  apiKeys: ApiKeyService;
  idempotency: Idempotency;
  connectSessions: ConnectSessions;
  connectPages: ConnectPages;
  hooks: HookStore;
  appEvents: EventStore;
}

/**
 * Wires the features by hand: each stands on those above it, and takes of them what its second argument names. Where one
 * must tell a feature that stands on it, it takes what that does as a function. Nothing runs yet.
 */
export function wire(floor: Floor, apps: AppRegistry): Features {
  const waits = new Waits(floor.listeners);
  const followers = [followIntegrations(floor.clock, apps)];
  const endings = { before: [holdOpenRuns, tellOfDeletedWorkflow], after: [endRunsWithWorkflow(floor.notifications)] };

  const mail = wireMail(floor);
  const accounts = wireAccounts(floor, { mails: mail.queue });
  const users = wireUsers(floor, { accounts: accounts.service, mails: mail.queue });
  const apiKeys = wireApiKeys(floor, { accounts: accounts.service, users: users.service });
  const idempotency = wireIdempotency(floor);
  const webhooks = wireWebhooks(floor, { mail: accounts.mail });
  const integrations = wireIntegrations(floor, { apps, mail: accounts.mail, waits, followers });
  const applications = integrations.access;
  const workflows = wireWorkflows(floor, { endings });
  const actions = wireActions(floor);
  const triggers = wireTriggers(floor, { workflows: workflows.service, events: apps });
  const runs = wireRuns(floor, {
    workflows: workflows.service,
    actions: actions.service,
    applications,
    mails: mail.ofSteps,
    waits,
  });
  const schedules = wireSchedules(floor, { queue: runs.queue });
  const hooks = wireHooks(floor, { queue: runs.queue });
  const appEvents = wireAppEvents(floor, { apps, queue: runs.queue });

  const below = [mail, accounts, users, apiKeys, idempotency, webhooks, integrations, workflows, actions, triggers];
  return {
    ...gather([...below, runs, schedules, hooks, appEvents, wireEncryption(floor)]),
    users,
    apiKeys: apiKeys.service,
    idempotency: idempotency.service,
    connectSessions: integrations.sessions,
    connectPages: integrations.pages,
    hooks: hooks.store,
    appEvents: appEvents.store,
  };
}
