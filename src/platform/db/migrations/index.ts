import { CreateAccountsAndApiKeys1795200000001 } from './accounts/1795200000001-create-accounts-and-api-keys.js';
import { CreateWorkflows1795200000002 } from './workflows/1795200000002-create-workflows.js';
import { CreateIntegrations1795200000003 } from './integrations/1795200000003-create-integrations.js';
import { CreateTriggers1795200000004 } from './triggers/1795200000004-create-triggers.js';
import { CreateRuns1795200000005 } from './runs/1795200000005-create-runs.js';
import { CreateIdempotencyKeys1795200000006 } from './accounts/1795200000006-create-idempotency-keys.js';
import { CreateConnectSessions1795200000007 } from './integrations/1795200000007-create-connect-sessions.js';
import { LetRunsBeCarriedOut1795200000008 } from './runs/1795200000008-let-runs-be-carried-out.js';
import { LetRunsOfDeletedWorkflowsGo1795200000009 } from './runs/1795200000009-let-runs-of-deleted-workflows-go.js';
import { LetSchedulesTick1795200000010 } from './triggers/1795200000010-let-schedules-tick.js';
import { SendMails1795200000012 } from './mails-and-webhooks/1795200000012-send-mails.js';
import { CreateWebhooks1795200000013 } from './mails-and-webhooks/1795200000013-create-webhooks.js';
import { CountLostWorkers1795200000014 } from './runs/1795200000014-count-lost-workers.js';
import { UpdateRunsInPlace1795200000015 } from './runs/1795200000015-update-runs-in-place.js';
import { RecordWebhookEvents1795200000016 } from './mails-and-webhooks/1795200000016-record-webhook-events.js';
import { CountHopsOfFlows1795200000017 } from './runs/1795200000017-count-hops-of-flows.js';
import { CreateUsers1795200000020 } from './accounts/1795200000020-create-users.js';
import { TellUpcomingFirings1795200000021 } from './triggers/1795200000021-tell-upcoming-firings.js';
import { MarkTestRuns1795200000022 } from './runs/1795200000022-mark-test-runs.js';
import { LetPasswordsBeReset1795200000023 } from './accounts/1795200000023-let-passwords-be-reset.js';
import { KeepEndsOfKeys1795200000024 } from './accounts/1795200000024-keep-ends-of-keys.js';
import { LetPrunesFindTheirRows1795200000040 } from './workflows/1795200000040-let-prunes-find-their-rows.js';
import { StorePayloadsOnce1795200000050 } from './runs/1795200000050-store-payloads-once.js';
import { FindRunsOfPayloads1795200000051 } from './runs/1795200000051-find-runs-of-payloads.js';
import { FanEventsOut1795200000060 } from './triggers/1795200000060-fan-events-out.js';
import { PageTriggersOfEvents1795200000061 } from './triggers/1795200000061-page-triggers-of-events.js';
import { ProveAddressesByMail1795200000080 } from './accounts/1795200000080-prove-addresses-by-mail.js';
import { CountMailsOfSteps1795200000081 } from './mails-and-webhooks/1795200000081-count-mails-of-steps.js';
import { KeepSecretsOfProviders1795300000001 } from './integrations/1795300000001-keep-secrets-of-providers.js';
import { NoticeDeadConnections1795300000010 } from './integrations/1795300000010-notice-dead-connections.js';
import { ReadPayloadsByAFunction1795300000020 } from './runs/1795300000020-read-payloads-by-a-function.js';
import { FanTriggerChangesOut1795300000030 } from './triggers/1795300000030-fan-trigger-changes-out.js';
import { ShareOutputsOfSteps1795300000040 } from './runs/1795300000040-share-outputs-of-steps.js';
import { KeepFormerSecrets1795300000050 } from './mails-and-webhooks/1795300000050-keep-former-secrets.js';
import { KeepRequestsOfHooks1795300000060 } from './runs/1795300000060-keep-requests-of-hooks.js';
import { KeepTriesOfDeliveries1795300000070 } from './mails-and-webhooks/1795300000070-keep-tries-of-deliveries.js';
import { LetRunListenersResume1795300000080 } from './runs/1795300000080-let-run-listeners-resume.js';

/** Every migration, in the order it runs. Once released, one is never edited. */
export const migrations = [
  CreateAccountsAndApiKeys1795200000001,
  CreateWorkflows1795200000002,
  CreateIntegrations1795200000003,
  CreateTriggers1795200000004,
  CreateRuns1795200000005,
  CreateIdempotencyKeys1795200000006,
  CreateConnectSessions1795200000007,
  LetRunsBeCarriedOut1795200000008,
  LetRunsOfDeletedWorkflowsGo1795200000009,
  LetSchedulesTick1795200000010,
  SendMails1795200000012,
  CreateWebhooks1795200000013,
  CountLostWorkers1795200000014,
  UpdateRunsInPlace1795200000015,
  RecordWebhookEvents1795200000016,
  CountHopsOfFlows1795200000017,
  CreateUsers1795200000020,
  TellUpcomingFirings1795200000021,
  MarkTestRuns1795200000022,
  LetPasswordsBeReset1795200000023,
  KeepEndsOfKeys1795200000024,
  LetPrunesFindTheirRows1795200000040,
  StorePayloadsOnce1795200000050,
  FindRunsOfPayloads1795200000051,
  FanEventsOut1795200000060,
  PageTriggersOfEvents1795200000061,
  ProveAddressesByMail1795200000080,
  CountMailsOfSteps1795200000081,
  KeepSecretsOfProviders1795300000001,
  NoticeDeadConnections1795300000010,
  ReadPayloadsByAFunction1795300000020,
  FanTriggerChangesOut1795300000030,
  ShareOutputsOfSteps1795300000040,
  KeepFormerSecrets1795300000050,
  KeepRequestsOfHooks1795300000060,
  KeepTriesOfDeliveries1795300000070,
  LetRunListenersResume1795300000080,
];
