/** The folder (or file) below `src` that owns a table: only its files read and write it, but for those named below. */
export const OWNERS: Readonly<Record<string, string>> = {
  accounts: 'features/accounts',
  action_lists: 'features/actions',
  api_keys: 'features/api-keys',
  audit_log: 'features/audit-log',
  authorizations: 'features/integrations',
  bulk_changes: 'features/runs',
  bulk_counters: 'features/runs',
  bulk_items: 'features/runs',
  bulk_operations: 'features/runs',
  connect_sessions: 'features/integrations',
  connection_answers: 'features/waits',
  deleted_workflows: 'features/runs',
  event_arrivals: 'features/webhooks',
  event_counters: 'features/webhooks',
  event_fan_outs: 'features/triggers',
  events: 'features/webhooks',
  failure_mails: 'features/runs',
  failure_notices: 'features/runs',
  firings: 'features/runs',
  idempotency_keys: 'features/idempotency',
  integration_changes: 'features/integrations',
  integrations: 'features/integrations',
  invitations: 'features/users',
  kept_secrets: 'platform/kept-secrets.ts',
  late_run_changes: 'features/runs',
  mail_counts: 'platform/mail',
  mails: 'platform/mail',
  passkeys: 'features/users',
  password_resets: 'features/users',
  payloads: 'platform/payloads.ts',
  runs: 'features/runs',
  sandbox_grants: 'features/sandbox',
  schema_minimum: 'platform/db/migrating/schema-minimum.ts',
  set_up_link: 'features/users',
  set_up_links: 'features/users',
  spent_challenges: 'features/users',
  steps: 'features/runs',
  trigger_change_fan_outs: 'features/triggers',
  triggers: 'features/triggers',
  user_credentials: 'features/users',
  user_sessions: 'features/users',
  users: 'features/users',
  wait_changes: 'features/waits',
  wait_counters: 'features/waits',
  waits: 'features/waits',
  webhook_deliveries: 'features/webhooks',
  webhook_events: 'features/webhooks',
  webhook_redeliveries: 'features/webhooks',
  former_webhook_secrets: 'features/webhooks',
  webhooks: 'features/webhooks',
  workflow_failures: 'features/runs',
  workflow_totals: 'features/workflows',
  workflows: 'features/workflows',
};

/** Tables that only a function of the database writes, with its caller. */
export const BY_FUNCTION: Readonly<Record<string, string>> = {
  set_up_link: 'mirror_set_up_link, for processes of the version before; remove the table after 0.2.0.',
};

/** Files of other folders, by table, each with the reason. */
export type Foreigners = Readonly<Record<string, Readonly<Record<string, string>>>>;

const RESEALED = 'Encrypts sealed texts again with the newest key, in whatever table they are.';
const RUN_COUNT = 'Counts the new run in the statement that stores it, while the workflow is locked.';
const RUN_WORKFLOW = 'Locks or checks the workflow in the statement or transaction that creates runs.';
const TRIGGER_EXISTS = 'A run links its trigger only while the trigger exists.';
const OWN_WORKFLOW = 'Checks that the workflow belongs to the account.';
const WORKFLOW_GONE = 'A run whose workflow is deleted ends.';
const PRESENT_NAMES = 'The audit log stores no names of people: it reads the present ones.';
const DEPENDENTS = 'One statement finds the workflows that depend on an integration.';
const ACCOUNT_NAME = 'Pages and mails name the account.';
const PAYLOAD_USED = 'A payload is deleted only when no event refers to it any more.';

/** Files that read a table of another folder. */
export const READERS: Foreigners = {
  accounts: {
    'features/integrations/changes/integration-changes.ts':
      'The position of the last change is a counter of the account.',
    'features/integrations/notices/integration-notices.ts': ACCOUNT_NAME,
    'features/users/invitations/invitation.service.ts': ACCOUNT_NAME,
    'features/users/joining.ts': ACCOUNT_NAME,
    'features/users/password-reset.service.ts': ACCOUNT_NAME,
    'features/users/set-up.ts': 'Finds the account that the first user joins.',
    'features/users/unproven-user.ts': ACCOUNT_NAME,
    'features/waits/placed-waits.ts': ACCOUNT_NAME,
    'features/webhooks/record-events.ts': 'Events are logged only if the account keeps a log.',
    'process/cli/shell-command.ts': 'Commands find an account by its name.',
  },
  action_lists: {
    'features/integrations/notices/dependents.ts': DEPENDENTS,
  },
  api_keys: {
    'features/audit-log/audit-log.service.ts': PRESENT_NAMES,
    'features/authentication/key-watch.ts': 'Closes the sockets of a key that has ended.',
  },
  event_fan_outs: {
    'features/runs/retention/deleted-workflows.job.ts': PAYLOAD_USED,
    'features/runs/retention/run-retention.job.ts': PAYLOAD_USED,
  },
  event_arrivals: {
    'features/runs/retention/deleted-workflows.job.ts': PAYLOAD_USED,
    'features/runs/retention/run-retention.job.ts': PAYLOAD_USED,
  },
  events: {
    'features/runs/retention/deleted-workflows.job.ts': PAYLOAD_USED,
    'features/runs/retention/run-retention.job.ts': PAYLOAD_USED,
  },
  invitations: {
    'features/audit-log/audit-log.service.ts': PRESENT_NAMES,
  },
  integrations: {
    'features/actions/action.service.ts': 'Actions may name only existing integrations of the account.',
    'features/triggers/app-events/event-settings.ts': 'Finds the integrations that an event arrives for.',
    'features/triggers/changes/follow-integrations.ts':
      'Triggers need a connected integration that offers their event.',
    'features/triggers/kinds/app_event.ts': 'A trigger needs a connected integration that offers its event.',
  },
  runs: {
    'features/actions/action-lists.job.ts': 'A replaced list is kept while a run refers to it.',
    'features/waits/answering/wait-answers.ts': 'Finds the account of the run that a callback names.',
    'features/waits/changes/wait-subscriptions.ts': 'Checks that the run belongs to the account.',
    'features/waits/placed-waits.ts': 'The URL of a wait exists before its run reaches it.',
    'features/waits/prune-waits.job.ts': 'Waits are deleted after their runs.',
    'features/webhooks/sending/delivery-trace.ts': 'A delivery continues the trace of its run.',
  },
  triggers: {
    'features/runs/bulk/bulk-requests.ts': 'Checks that the trigger belongs to the account.',
    'features/integrations/notices/dependents.ts': DEPENDENTS,
    'features/runs/control/manual-run.ts': 'A manual run belongs to the manual trigger of the workflow.',
    'features/runs/queue/firings.ts': 'Locks the workflows of the fired triggers and reads their states.',
    'features/runs/run-columns.ts': TRIGGER_EXISTS,
    'features/runs/run-filter.ts': TRIGGER_EXISTS,
    'features/runs/run-webhook.ts': TRIGGER_EXISTS,
  },
  user_sessions: {
    'features/authentication/key-watch.ts': 'Closes the sockets of a session that has ended.',
  },
  users: {
    'features/audit-log/audit-log.service.ts': PRESENT_NAMES,
    'features/accounts/account-mail.ts': 'Mails of an account go to its users.',
    'features/runs/failures/failing-mails.job.ts': 'Accounts without users share one recipient.',
  },
  webhook_events: {
    'features/runs/retention/deleted-workflows.job.ts': PAYLOAD_USED,
    'features/runs/retention/run-retention.job.ts': PAYLOAD_USED,
  },
  workflows: {
    'features/actions/action-lists.job.ts': 'The current list of a workflow is kept.',
    'features/actions/action.service.ts': 'A workflow refers to its current list.',
    'features/integrations/notices/dependents.ts': DEPENDENTS,
    'features/runs/bulk/bulk-requests.ts': OWN_WORKFLOW,
    'features/runs/control/manual-run.ts': RUN_WORKFLOW,
    'features/runs/control/run-retry.ts': RUN_WORKFLOW,
    'features/runs/control/test-run.ts': RUN_WORKFLOW,
    'features/runs/failures/streaks.ts': 'A notice depends on the settings of the workflow, and names it.',
    'features/runs/execution/found-runs.ts': WORKFLOW_GONE,
    'features/runs/execution/progress.ts': WORKFLOW_GONE,
    'features/runs/feed/run-subscriptions.ts': OWN_WORKFLOW,
    'features/runs/queue/firings.ts': RUN_WORKFLOW,
    'features/runs/statistics/run-statistics.ts': OWN_WORKFLOW,
    'features/triggers/dependent-workflows.ts': 'Lists the workflows that depend on an integration.',
    'features/triggers/changes/record-deleted-triggers.ts': 'Locks the workflow before its triggers.',
    'features/triggers/schedules/due-triggers.ts': 'Schedules tick only while their workflow is active.',
    'features/waits/placed-waits.ts': 'The page names the workflow.',
    'features/triggers/duplication/duplication.service.ts': 'Checks that the workflow belongs to the account.',
    'features/triggers/locked-trigger.ts': 'Locks the workflow before its triggers.',
    'features/triggers/trigger-filter.ts': 'Finds triggers by the name of their workflow.',
    'features/triggers/trigger.service.ts': 'Locks the workflow while its triggers are counted and changed.',
    'features/webhooks/webhook.service.ts': OWN_WORKFLOW,
  },
};

/** Files that write a table of another folder. */
export const WRITERS: Foreigners = {
  accounts: {
    'features/integrations/changes/record-change.ts':
      'One statement counts the change in the account and stores it, so that positions have the order of commits.',
  },
  action_lists: { 'features/encryption/sealed-column.ts': RESEALED },
  authorizations: { 'features/encryption/sealed-column.ts': RESEALED },
  former_webhook_secrets: { 'features/encryption/sealed-column.ts': RESEALED },
  idempotency_keys: { 'features/encryption/sealed-column.ts': RESEALED },
  integrations: { 'features/encryption/sealed-column.ts': RESEALED },
  kept_secrets: { 'features/encryption/sealed-column.ts': RESEALED },
  payloads: {
    'features/runs/control/run-input.ts':
      'One statement copies the input of an old run and refers the run to the copy.',
    'features/runs/control/run-outputs.ts': 'One statement moves outputs and refers their steps to them.',
    'features/runs/retention/deleted-workflows.job.ts':
      'One statement deletes payloads that neither a run nor an event refers to.',
  },
  triggers: { 'features/encryption/sealed-column.ts': RESEALED },
  webhooks: { 'features/encryption/sealed-column.ts': RESEALED },
  workflows: {
    'features/actions/action.service.ts': 'One statement stores a list and refers the workflow to it.',
    'features/runs/control/run-retry.ts': RUN_COUNT,
    'features/runs/queue/firings.ts': RUN_COUNT,
  },
};

/** Files whose SQL computes the name of a table, with where the name comes from. */
export const COMPUTED: Readonly<Record<string, string>> = {
  'features/audit-log/record-audit.ts': 'The query of a statement whose rows it records.',
  'features/encryption/reseal.job.ts': 'The sealed columns, which sealed-column.ts lists.',
  'features/encryption/sealed-column.ts': 'The sealed columns, which it lists.',
  'features/integrations/notices/dependents.ts': 'A list of offered events; no table.',
  'platform/partitions/weekly-partitions.ts': 'The partitions of a week, of each partitioned table.',
  'features/runs/run-texts.ts': 'A choice of steps: the lists that a caller asks for; no table.',
  'features/triggers/dependent-workflows.ts': 'A list of offered events; no table.',
  'features/triggers/fan-outs.ts': 'The tables of triggers that remain: event_fan_outs, trigger_change_fan_outs.',
  'features/users/sign-in/auth-adapter.ts': 'Tables of users, by the model of the library.',
  'features/users/unproven-user.ts': 'Three tables of users.',
  'features/webhooks/record-events.ts': 'The changed row of a statement, or given events.',
  'platform/changes/change-log.ts': 'The table and the counter of a log, which a feature describes.',
  'platform/db/assumed-accounts.ts': 'The table or partition that a caller names.',
  'platform/db/copy/checksums.ts': 'Every table of a copy.',
  'platform/db/copy/empty-database.ts': 'The mark of an unfinished load.',
  'platform/db/copy/layout.ts': 'The state of each sequence.',
  'platform/db/copy/load.ts': 'Every table of a copy.',
  'platform/db/copy/snapshot.ts': 'Every table of a copy.',
  'platform/db/in-batches.ts': 'The table that a caller of `prune` names.',
  'platform/db/pages/linked-pages.ts': 'The source that a caller names.',
  'platform/db/owned-rows.ts': 'The table that a caller of `findOwned` names.',
  'platform/db/pages/select-page.ts': 'The table that a caller names.',
  'platform/jobs/due-in-turns.ts': 'The table that a feature describes.',
  'platform/jobs/work-rows.ts': 'The table that a feature describes.',
  'platform/graphql/nodes.ts': 'The table that a caller of `nodesOf` names.',
  'platform/jobs/job-queue.ts': 'The schema of pg-boss.',
  'platform/jobs/take-around.ts': 'The schema of pg-boss.',
};
