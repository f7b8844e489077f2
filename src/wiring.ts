import { AccountMail } from './accounts/account-mail.js';
import { AccountService } from './accounts/account.service.js';
import { pruneActionLists } from './actions/action-lists.job.js';
import { ActionResolver } from './actions/action.resolver.js';
import { ActionService } from './actions/action.service.js';
import { TargetLimits } from './actions/target-limits.js';
import { ApiKeyResolver } from './api-keys/api-key.resolver.js';
import { ApiKeyService } from './api-keys/api-key.service.js';
import { ViewerResolver } from './api-keys/viewer.resolver.js';
import { EventStore } from './app-events/event-store.js';
import { type Floor } from './floor.js';
import { Idempotency } from './idempotency/idempotency.service.js';
import { AppAccess } from './integrations/app-access.js';
import { AuthorizationFlows } from './integrations/authorization-flow.js';
import { type AppRegistry } from './integrations/apps/registry.js';
import { ChangeFeed } from './integrations/change-feed.js';
import { ConnectSessionResolver } from './integrations/connect-session.resolver.js';
import { ConnectSessions } from './integrations/connect-session.service.js';
import { ConnectService } from './integrations/connect.service.js';
import { IntegrationChangeResolver } from './integrations/integration-change.resolver.js';
import { integrationJobs } from './integrations/integration.jobs.js';
import { IntegrationLinks } from './integrations/integration.links.js';
import { IntegrationResolver } from './integrations/integration.resolver.js';
import { IntegrationNotices, noteBreaks } from './integrations/integration-notices.js';
import { IntegrationService } from './integrations/integration.service.js';
import { IntegrationSubscriptions } from './integrations/integration-subscriptions.js';
import { tellOfChanges } from './integrations/integration-webhook.js';
import { IntegrationTypeResolver, TypeOfIntegrationResolver } from './integrations/integration-type.resolver.js';
import { OAuthCallback } from './integrations/oauth-callback.js';
import { OAuthProtocol } from './integrations/oauth-client.js';
import { Probe } from './integrations/probe.js';
import { ChangeRecorder } from './integrations/record-change.js';
import { SessionPage } from './integrations/session-page.js';
import { StartPage } from './integrations/start-page.js';
import { TokenRenewal } from './integrations/token-renewal.js';
import { TokenRevocation } from './integrations/token-revocation.js';
import { type PeriodicJob } from './jobs/periodic.js';
import { pruneRunsOfDeletedWorkflows } from './runs/deleted-workflows.job.js';
import { endRunsWithWorkflow } from './runs/deleted-workflows.js';
import { pruneFiringsJob } from './runs/firings-prune.job.js';
import { LastRunResolver } from './runs/last-run.resolver.js';
import { partitionsJob } from './runs/run-partitions.js';
import { dropOldRunsJob } from './runs/run-retention.job.js';
import { ManualRuns } from './runs/manual-run.js';
import { RunCancel } from './runs/run-cancel.js';
import { RunChangeResolver } from './runs/run-change.resolver.js';
import { RunControlResolver } from './runs/run-control.resolver.js';
import { RunFeed } from './runs/run-feed.js';
import { RunResolver } from './runs/run.resolver.js';
import { RunRetry } from './runs/run-retry.js';
import { RunService } from './runs/run.service.js';
import { RunStatisticsResolver } from './runs/run-statistics.resolver.js';
import { RunStatisticsService } from './runs/run-statistics.js';
import { RunSubscriptions } from './runs/run-subscriptions.js';
import { RunWaiting } from './runs/run-waiting.js';
import { RunWorkflowResolver } from './runs/run-workflow.resolver.js';
import { StepInputs } from './runs/step-inputs.js';
import { StepResolver } from './runs/step.resolver.js';
import { RunClaims } from './runs/execution/claim-runs.js';
import { ProgressLog } from './runs/execution/progress.js';
import { RunTally } from './runs/run-tally.js';
import { RunQueue } from './runs/run-queue.js';
import { RunWorker } from './runs/run-worker.js';
import { LogTransport } from './mail/log-transport.js';
import { MailQueue } from './mail/mail-queue.js';
import { MailSender } from './mail/mail-sender.js';
import { MailStore } from './mail/mail-store.js';
import { resumeRunsJob } from './runs/run.jobs.js';
import { TestRuns } from './runs/test-run.js';
import { WorkflowRunsResolver } from './runs/workflow-runs.resolver.js';
import { fireSchedulesJob } from './schedules/schedule.jobs.js';
import { CronPreviewResolver } from './triggers/cron-preview.resolver.js';
import { CronPreviews } from './triggers/cron-preview.js';
import { DependentWorkflowsResolver } from './triggers/dependent-workflows.resolver.js';
import { DependentWorkflows } from './triggers/dependent-workflows.js';
import { followIntegrations } from './triggers/follow-integrations.js';
import { IntegrationTriggersResolver } from './triggers/integration-triggers.resolver.js';
import { TriggerResolver } from './triggers/trigger.resolver.js';
import { TriggerService } from './triggers/trigger.service.js';
import { UpcomingFiringsResolver } from './triggers/upcoming-firings.resolver.js';
import { UpcomingFirings } from './triggers/upcoming-firings.js';
import { WorkflowTriggersResolver } from './triggers/workflow-triggers.resolver.js';
import { createUsers, type Users } from './users/users.js';
import { Waits } from './waits.js';
import { pruneDeliveriesJob } from './webhooks/deliveries-prune.job.js';
import { DeliveryService } from './webhooks/delivery.service.js';
import { WebhookSender } from './webhooks/sending/webhook-sender.js';
import { WebhookResolver } from './webhooks/webhook.resolver.js';
import { WebhookService } from './webhooks/webhook.service.js';
import { WorkflowResolver } from './workflows/workflow.resolver.js';
import { WorkflowService } from './workflows/workflow.service.js';

/** The features over a floor, as the edges need them. */
export interface Features {
  resolvers: object[];
  jobs: PeriodicJob[];
  oauth: { callback: OAuthCallback; start: StartPage };
  apiKeys: ApiKeyService;
  runQueue: RunQueue;
  eventStore: EventStore;
  worker: RunWorker;
  tally: RunTally;
  mailSender: MailSender;
  webhookSender: WebhookSender;
  connectSessions: ConnectSessions;
  sessionPage: SessionPage;
  idempotency: Idempotency;
  users: Users;
  /** Runs of all accounts that have not ended, by status. */
  openRuns(): Promise<Record<string, number>>;
  /** How many listen for changes of integrations in this process. */
  changeListeners(): number;
  /** The same of runs. */
  runListeners(): number;
  stop(): Promise<void>;
}

/** Constructs every service and resolver, by hand and in one place. Nothing runs yet. */
export function wire(floor: Omit<Floor, 'dataDir'>, apps: AppRegistry): Features {
  const { config, db, clock, secrets, logger, notifications, outbound, queues, smtp } = floor;
  const { baseUrl } = config;

  const accounts = new AccountService(db, clock);
  const apiKeys = new ApiKeyService(db, clock, notifications);
  const idempotency = new Idempotency(db, clock, secrets);
  const actions = new ActionService(db, clock, secrets);
  const runs = new RunService(db);
  const runQueue = new RunQueue(queues, notifications, db, clock);
  const runFeed = new RunFeed(db, clock, notifications, runQueue, logger);
  const waits = new Waits();
  const events = {
    typesOffering: (event: string) => apps.offering(event).map(({ type }) => type),
    eventsOf: (type: string) => apps.get(type)?.events ?? [],
  };
  const triggers = new TriggerService(db, clock, secrets, { baseUrl, events });
  const workflows = new WorkflowService(db, clock, {
    before: [triggers.tellOfAll],
    after: [endRunsWithWorkflow(notifications)],
  });

  const protocol = new OAuthProtocol(outbound, apps, baseUrl);
  const probe = new Probe(outbound);
  const changes = new ChangeRecorder(clock, [followIntegrations(clock, events), tellOfChanges(clock), noteBreaks]);
  const flows = new AuthorizationFlows(secrets, clock, changes, protocol, baseUrl);
  const revocation = new TokenRevocation(protocol, secrets, logger);
  const renewal = new TokenRenewal({ db, clock, changes, secrets, apps, protocol, revocation, logger });
  const feed = new ChangeFeed(db, notifications, logger);
  const returnOrigins = new Set([new URL(baseUrl).origin, ...config.corsOrigins]);
  const sessions = new ConnectSessions({ db, clock, apps, returnOrigins, baseUrl });
  const connecting = new ConnectService({ db, clock, changes, secrets, apps, probe, flows, sessions, returnOrigins });
  const integrations = new IntegrationService({
    db,
    clock,
    changes,
    secrets,
    apps,
    flows,
    feed,
    probe,
    renewal,
    revocation,
    waits,
  });
  const mails = new MailQueue(clock);
  const users = createUsers({
    config,
    db,
    clock,
    secrets,
    logger,
    notifications,
    accounts,
    mails,
    outbound,
    oidc: floor.oidc,
  });
  const accountMail = new AccountMail(mails, config.mail.contact);
  const notices = new IntegrationNotices({ db, clock, mail: accountMail, apps, offers: events, baseUrl });
  const log = new LogTransport(logger, config.mail.from);
  const mailSender = new MailSender({ store: new MailStore(db, clock), clock, logger, smtp, log });
  const tally = new RunTally();
  const worker = new RunWorker({
    clock,
    logger,
    queue: runQueue,
    claims: new RunClaims(db, clock, runQueue, notifications, actions, tally),
    progress: new ProgressLog(db, clock, runQueue, notifications, tally),
    services: {
      outbound,
      targets: new TargetLimits(),
      applications: new AppAccess({ db, secrets, apps, renewal }),
      mail: { queue: (mail) => mails.add(db, mail) },
    },
  });
  const webhookSender = new WebhookSender({
    db,
    clock,
    secrets,
    outbound,
    mail: accountMail,
    logger,
    timeoutMs: 15_000,
  });
  const start = new StartPage(db, clock, apps, flows, protocol);
  const links = new IntegrationLinks(db, secrets, apps, baseUrl);

  return {
    resolvers: [
      new ViewerResolver(accounts, apiKeys, users.service),
      ...users.resolvers,
      new ApiKeyResolver(apiKeys),
      new WorkflowResolver(workflows),
      new ActionResolver(actions),
      new IntegrationResolver(integrations, connecting, links),
      new IntegrationChangeResolver(new IntegrationSubscriptions(db, feed), links),
      new ConnectSessionResolver(sessions),
      new IntegrationTypeResolver(apps),
      new TypeOfIntegrationResolver(apps),
      new TriggerResolver(triggers, workflows),
      new WorkflowTriggersResolver(triggers),
      new IntegrationTriggersResolver(triggers),
      new DependentWorkflowsResolver(new DependentWorkflows(db, events)),
      new UpcomingFiringsResolver(new UpcomingFirings(db, triggers)),
      new CronPreviewResolver(new CronPreviews(clock)),
      new RunResolver(runs, new RunWaiting(runs, runFeed, waits)),
      new StepResolver(new StepInputs(db, runs, actions)),
      new RunChangeResolver(new RunSubscriptions(db, runs, runFeed), runs),
      new RunControlResolver(
        new ManualRuns(db, clock, runQueue),
        new RunCancel(db, clock, notifications),
        new RunRetry(db, clock, runQueue, actions),
        new TestRuns(db, clock, runQueue),
      ),
      new WorkflowRunsResolver(runs),
      new LastRunResolver(runs),
      new RunWorkflowResolver(workflows),
      new RunStatisticsResolver(new RunStatisticsService(db, clock)),
      new WebhookResolver(new WebhookService(db, clock, secrets, outbound), new DeliveryService(db, clock)),
    ],
    jobs: [
      ...integrationJobs({ db, clock, changes, flows, renewal }),
      sessions.job(),
      ...users.jobs,
      idempotency.job(),
      partitionsJob(db, clock),
      dropOldRunsJob(db, clock, config.runRetentionDays),
      pruneFiringsJob(db, clock),
      pruneRunsOfDeletedWorkflows(db, clock),
      pruneActionLists(db, clock),
      pruneDeliveriesJob(db, clock),
      ...notices.jobs(),
      ...mailSender.jobs(),
      fireSchedulesJob({ db, clock, queue: runQueue, logger }),
      resumeRunsJob({ db, clock, queue: runQueue }),
    ],
    oauth: {
      callback: new OAuthCallback({ db, clock, changes, secrets, apps, protocol, probe, flows, revocation, logger }),
      start,
    },
    apiKeys,
    runQueue,
    eventStore: new EventStore({ db, clock, secrets, apps, queue: runQueue }),
    worker,
    tally,
    mailSender,
    webhookSender,
    connectSessions: sessions,
    sessionPage: new SessionPage({ db, apps, sessions, connecting, start }),
    idempotency,
    users,
    changeListeners: () => feed.listeners,
    runListeners: () => runFeed.listeners,
    openRuns: () => runs.countOpen(),
    stop: async () => {
      feed.stop();
      runFeed.stop();
      await mailSender.stop();
      await revocation.stop();
    },
  };
}
