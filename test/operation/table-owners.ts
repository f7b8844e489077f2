/** The folder (or file) below `src` that owns a table: only its files read and write it, but for those named below. */
export const OWNERS: Readonly<Record<string, string>> = {
  accounts: 'features/accounts',
  action_lists: 'features/actions',
  api_keys: 'features/api-keys',
  authorizations: 'features/integrations',
  connect_sessions: 'features/integrations',
  deleted_workflows: 'features/runs',
  event_fan_outs: 'features/triggers',
  firings: 'features/runs',
  idempotency_keys: 'features/idempotency',
  integration_changes: 'features/integrations',
  integrations: 'features/integrations',
  invitations: 'features/users',
  late_run_changes: 'features/runs',
  mail_counts: 'platform/mail',
  mails: 'platform/mail',
  password_resets: 'features/users',
  payloads: 'platform/payloads.ts',
  runs: 'features/runs',
  sandbox_grants: 'features/sandbox',
  set_up_link: 'features/users',
  steps: 'features/runs',
  trigger_change_fan_outs: 'features/triggers',
  triggers: 'features/triggers',
  user_credentials: 'features/users',
  user_sessions: 'features/users',
  users: 'features/users',
  webhook_deliveries: 'features/webhooks',
  webhook_events: 'features/webhooks',
  former_webhook_secrets: 'features/webhooks',
  webhooks: 'features/webhooks',
  workflow_totals: 'features/workflows',
  workflows: 'features/workflows',
};

/** Files of other folders, by table, each with the reason. */
export type Foreigners = Readonly<Record<string, Readonly<Record<string, string>>>>;

const RESEALED = 'Encrypts sealed texts again with the newest key, in whatever table they are.';
const RUN_COUNT = 'Counts the new run in the statement that stores it, while the workflow is locked.';
const RUN_WORKFLOW = 'Locks or checks the workflow in the statement or transaction that creates runs.';
const TRIGGER_EXISTS = 'A run links its trigger only while the trigger exists.';
const OWN_WORKFLOW = 'Checks that the workflow belongs to the account.';
const WORKFLOW_GONE = 'A run whose workflow is deleted ends.';
const DEPENDENTS = 'One statement finds the workflows that depend on an integration.';
const ACCOUNT_NAME = 'Pages and mails name the account.';
const PAYLOAD_USED = 'A payload is deleted only when no event refers to it any more.';

/** Files that read a table of another folder. */
export const READERS: Foreigners = {
  accounts: {
    'features/integrations/changes/change-feed.ts': 'The position of the last change is a counter of the account.',
    'features/integrations/changes/latest-change.ts': 'The position of the last change is a counter of the account.',
    'features/integrations/notices/integration-notices.ts': ACCOUNT_NAME,
    'features/users/invitations/invitation.service.ts': ACCOUNT_NAME,
    'features/users/joining.ts': ACCOUNT_NAME,
    'features/users/password-reset.service.ts': ACCOUNT_NAME,
    'features/users/set-up.ts': 'Finds the account that the first user joins.',
    'features/users/unproven-user.ts': ACCOUNT_NAME,
    'features/webhooks/webhook.service.ts': 'Locks the account while its webhooks are counted.',
    'process/cli/shell-command.ts': 'Commands find an account by its name.',
  },
  action_lists: {
    'features/integrations/notices/dependents.ts': DEPENDENTS,
  },
  api_keys: {
    'features/authentication/key-watch.ts': 'Closes the sockets of a key that has ended.',
  },
  event_fan_outs: {
    'features/runs/retention/deleted-workflows.job.ts': PAYLOAD_USED,
    'features/runs/retention/run-retention.job.ts': PAYLOAD_USED,
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
  },
  triggers: {
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
    'features/accounts/account-mail.ts': 'Mails of an account go to its users.',
  },
  workflows: {
    'features/actions/action-lists.job.ts': 'The current list of a workflow is kept.',
    'features/actions/action.service.ts': 'A workflow refers to its current list.',
    'features/integrations/notices/dependents.ts': DEPENDENTS,
    'features/runs/control/manual-run.ts': RUN_WORKFLOW,
    'features/runs/control/run-retry.ts': RUN_WORKFLOW,
    'features/runs/control/test-run.ts': RUN_WORKFLOW,
    'features/runs/execution/found-runs.ts': WORKFLOW_GONE,
    'features/runs/execution/progress.ts': WORKFLOW_GONE,
    'features/runs/feed/run-subscriptions.ts': OWN_WORKFLOW,
    'features/runs/queue/firings.ts': RUN_WORKFLOW,
    'features/runs/statistics/run-statistics.ts': OWN_WORKFLOW,
    'features/triggers/dependent-workflows.ts': 'Lists the workflows that depend on an integration.',
    'features/triggers/changes/record-deleted-triggers.ts': 'Locks the workflow before its triggers.',
    'features/triggers/schedules/due-triggers.ts': 'Schedules tick only while their workflow is active.',
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
  'features/encryption/reseal.job.ts': 'The sealed columns, which sealed-column.ts lists.',
  'features/encryption/sealed-column.ts': 'The sealed columns, which it lists.',
  'features/integrations/notices/dependents.ts': 'A list of offered events; no table.',
  'features/runs/retention/run-partitions.ts':
    'Partitions of runs, steps and payloads: all end with the runs of a week.',
  'features/triggers/dependent-workflows.ts': 'A list of offered events; no table.',
  'features/triggers/fan-outs.ts': 'The tables of triggers that remain: event_fan_outs, trigger_change_fan_outs.',
  'features/users/sign-in/auth-adapter.ts': 'Tables of users, by the model of the library.',
  'features/users/unproven-user.ts': 'Three tables of users.',
  'platform/db/in-batches.ts': 'The table that a caller of `prune` names.',
  'platform/db/linked-pages.ts': 'The source that a caller names.',
  'platform/db/owned-rows.ts': 'The table that a caller of `findOwned` names.',
  'platform/db/select-page.ts': 'The table that a caller names.',
  'platform/graphql/nodes.ts': 'The table that a caller of `nodesOf` names.',
  'platform/jobs/job-queue.ts': 'The schema of pg-boss.',
};
