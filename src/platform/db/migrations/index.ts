import { KeepActorsOfChanges1795400000300 } from './accounts/1795400000300-keep-actors-of-changes.js';
import { LetSetUpLinksStayValid1795400000400 } from './accounts/1795400000400-let-set-up-links-stay-valid.js';
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
import { StorePayloadsOnce1795200000050 } from './payloads/1795200000050-store-payloads-once.js';
import { FindRunsOfPayloads1795200000051 } from './payloads/1795200000051-find-runs-of-payloads.js';
import { FanEventsOut1795200000060 } from './triggers/1795200000060-fan-events-out.js';
import { PageTriggersOfEvents1795200000061 } from './triggers/1795200000061-page-triggers-of-events.js';
import { ProveAddressesByMail1795200000080 } from './accounts/1795200000080-prove-addresses-by-mail.js';
import { CountMailsOfSteps1795200000081 } from './mails-and-webhooks/1795200000081-count-mails-of-steps.js';
import { KeepSecretsOfProviders1795300000001 } from './integrations/1795300000001-keep-secrets-of-providers.js';
import { NoticeDeadConnections1795300000010 } from './integrations/1795300000010-notice-dead-connections.js';
import { ReadPayloadsByAFunction1795300000020 } from './payloads/1795300000020-read-payloads-by-a-function.js';
import { FanTriggerChangesOut1795300000030 } from './triggers/1795300000030-fan-trigger-changes-out.js';
import { ShareOutputsOfSteps1795300000040 } from './payloads/1795300000040-share-outputs-of-steps.js';
import { KeepFormerSecrets1795300000050 } from './mails-and-webhooks/1795300000050-keep-former-secrets.js';
import { KeepRequestsOfHooks1795300000060 } from './runs/1795300000060-keep-requests-of-hooks.js';
import { KeepTriesOfDeliveries1795300000070 } from './mails-and-webhooks/1795300000070-keep-tries-of-deliveries.js';
import { LetRunListenersResume1795300000080 } from './runs/1795300000080-let-run-listeners-resume.js';
import { ShareBudgetsOfConnections1795400000010 } from './integrations/1795400000010-share-budgets-of-connections.js';
import { PauseStepsOfBlockedConnections1795400000011 } from './runs/1795400000011-pause-steps-of-blocked-connections.js';
import { LetRunsWait1795400000020 } from './runs/1795400000020-let-runs-wait.js';
import { NameTriggers1795300000200 } from './triggers/1795300000200-name-triggers.js';
import { MoveVersionsOn1795400000040 } from './triggers/1795400000040-move-versions-on.js';
import { KeepLinksOfResponses1795400000041 } from './accounts/1795400000041-keep-links-of-responses.js';
import { EndAllRunsOfDeletedWorkflows1795400000430 } from './runs/1795400000430-end-all-runs-of-deleted-workflows.js';

import { AddPasskeys1795400000500 } from './accounts/1795400000500-add-passkeys.js';
import { LogEvents1795500000100 } from './mails-and-webhooks/1795500000100-log-events.js';
import { RedeliverRanges1795500000110 } from './mails-and-webhooks/1795500000110-redeliver-ranges.js';
import { NoticeFailingWorkflows1795500000120 } from './workflows/1795500000120-notice-failing-workflows.js';
import { LetRunsBeHandledInBulk1795500000200 } from './runs/1795500000200-let-runs-be-handled-in-bulk.js';
import { KeepAnAuditLog1795500000210 } from './accounts/1795500000210-keep-an-audit-log.js';
import { KeepASchemaMinimum1795600000100 } from './schema/1795600000100-keep-a-schema-minimum.js';
import { KeepKeysOfSkippedRuns1795600000110 } from './runs/1795600000110-keep-keys-of-skipped-runs.js';
import { KeepTracesOfRuns1795600000200 } from './runs/1795600000200-keep-traces-of-runs.js';
import { FindRetriesOfRuns1795600000300 } from './runs/1795600000300-find-retries-of-runs.js';
import { FindConnectionAnswersOfAccounts1795600000400 } from './integrations/1795600000400-find-connection-answers-of-accounts.js';
import { AssumeManyAccounts1795600000500 } from './accounts/1795600000500-assume-many-accounts.js';
import { BoundWhatProvidersCause1795600000610 } from './integrations/1795600000610-bound-what-providers-cause.js';
import { LetAccountsTakeTurnsInMails1795600000700 } from './mails-and-webhooks/1795600000700-let-accounts-take-turns-in-mails.js';
import { CountValidKeys1795600000710 } from './accounts/1795600000710-count-valid-keys.js';
import { ClaimCallbacks1795600000720 } from './integrations/1795600000720-claim-callbacks.js';
import { CountFlowsOfAccounts1795600000730 } from './integrations/1795600000730-count-flows-of-accounts.js';
import { FindWebhookEventsOfPayloads1795600000750 } from './mails-and-webhooks/1795600000750-find-webhook-events-of-payloads.js';
import { LetAccountsTakeTurnsInWaitingRuns1795600000810 } from './runs/1795600000810-let-accounts-take-turns-in-waiting-runs.js';
import { PruneWaitChangesByTheirIds1795600000820 } from './runs/1795600000820-prune-wait-changes-by-their-ids.js';

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
  NameTriggers1795300000200,
  ShareBudgetsOfConnections1795400000010,
  PauseStepsOfBlockedConnections1795400000011,
  LetRunsWait1795400000020,
  MoveVersionsOn1795400000040,
  KeepLinksOfResponses1795400000041,
  KeepActorsOfChanges1795400000300,
  LetSetUpLinksStayValid1795400000400,
  EndAllRunsOfDeletedWorkflows1795400000430,
  AddPasskeys1795400000500,
  LogEvents1795500000100,
  RedeliverRanges1795500000110,
  NoticeFailingWorkflows1795500000120,
  LetRunsBeHandledInBulk1795500000200,
  KeepAnAuditLog1795500000210,
  KeepASchemaMinimum1795600000100,
  KeepKeysOfSkippedRuns1795600000110,
  KeepTracesOfRuns1795600000200,
  FindRetriesOfRuns1795600000300,
  FindConnectionAnswersOfAccounts1795600000400,
  AssumeManyAccounts1795600000500,
  BoundWhatProvidersCause1795600000610,
  LetAccountsTakeTurnsInMails1795600000700,
  CountValidKeys1795600000710,
  ClaimCallbacks1795600000720,
  CountFlowsOfAccounts1795600000730,
  FindWebhookEventsOfPayloads1795600000750,
  LetAccountsTakeTurnsInWaitingRuns1795600000810,
  PruneWaitChangesByTheirIds1795600000820,
];
