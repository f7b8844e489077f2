import { type Cache, cacheExchange, type UpdateResolver } from '@urql/exchange-graphcache';
import { type Exchange, type TypedDocumentNode } from 'urql';

/** Types without an id: the cache embeds them in their parent. */
const EMBEDDED = [
  ...['PageMeta', 'WorkflowPage', 'IntegrationPage', 'IntegrationTypePage', 'TriggerPage', 'RunPage', 'WebhookPage'],
  ...[
    'RunConnection',
    'RunEdge',
    'PageInfo',
    'WebhookDeliveryPage',
    'WebhookTry',
    'ApiKeyPage',
    'IntegrationStatusChangePage',
    'UserPage',
    'InvitationPage',
    'WaitPage',
    'WaitConnection',
    'WaitEdge',
    'WaitChange',
  ],
  ...['Action', 'Step', 'RunError', 'AppParameter', 'ConnectedAccount', 'IntegrationAuthorization', 'IntegrationTest'],
  ...['CreatedApiKey', 'CreatedWebhook', 'ConnectSession', 'Viewer', 'RunStatusChange'],
  ...['RunStatistics', 'RunStatisticsBucket', 'RunCount', 'UpcomingFiring'],
  ...['AuditLogPage', 'AuditLogConnection', 'AuditLogEdge', 'AuditActor', 'AuditResource'],
];

/** Mutations that add or remove list items, with the lists to fetch again. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  createWorkflow: ['workflows'],
  duplicateWorkflow: ['workflows', 'triggers'],
  createTrigger: ['triggers'],
  createWebhook: ['webhooks'],
  createApiKey: ['apiKeys'],
  rotateApiKey: ['apiKeys'],
  connectIntegration: ['integrations'],
  runWorkflow: ['runs', 'runConnection'],
  testWorkflow: ['runs', 'runConnection'],
  retryRun: ['runs', 'runConnection'],
  retryRuns: ['runs', 'runConnection'],
  cancelRuns: ['runs', 'runConnection'],
  inviteUser: ['invitations'],
  answerWait: ['waits', 'waitConnection'],
};

/** Mutations that return a deleted id, with its type and lists. */
const DELETIONS: Readonly<Record<string, { type: string; lists: readonly string[] }>> = {
  deleteWorkflow: { type: 'Workflow', lists: ['workflows', 'triggers', 'webhooks'] },
  deleteTrigger: { type: 'Trigger', lists: ['triggers'] },
  deleteIntegration: { type: 'Integration', lists: ['integrations'] },
  deleteWebhook: { type: 'Webhook', lists: ['webhooks'] },
  revokeInvitation: { type: 'Invitation', lists: ['invitations'] },
  removeUser: { type: 'User', lists: ['users'] },
};

/** The normalized cache: every view shows the newest version of an object from any response or event. */
export function createCache(): Exchange {
  return cacheExchange({
    // Without it, Graphcache guesses the type of a union by its fields, and returns null if the guess is wrong.
    possibleTypes: { ConnectIntegrationResult: ['Integration', 'IntegrationAuthorization'] },
    keys: {
      ...Object.fromEntries(EMBEDDED.map((type) => [type, () => null])),
      IntegrationType: (data) => data.type as string,
    },
    updates: {
      Mutation: { ...afterCreates(), ...afterDeletions() },
      Subscription: { runStatusChanged: noteRetry },
    },
  });
}

function afterCreates(): Record<string, UpdateResolver> {
  return Object.fromEntries(
    Object.entries(LISTS).map(([mutation, lists]): [string, UpdateResolver] => [
      mutation,
      (_result, _args, cache) => forgetLists(cache, lists),
    ]),
  );
}

function afterDeletions(): Record<string, UpdateResolver> {
  return Object.fromEntries(
    Object.entries(DELETIONS).map(([mutation, { type, lists }]): [string, UpdateResolver] => [
      mutation,
      (_result, { id }, cache) => {
        forgetLists(cache, lists);
        cache.invalidate({ __typename: type, id: id as string });
      },
    ]),
  );
}

/** Fetches these lists again where they are on screen, with any arguments; the old items stay until then. */
function forgetLists(cache: Cache, lists: readonly string[]): void {
  forgetFields(cache, 'Query', lists);
  // Including lists inside an object, e.g. the triggers of the workflow on screen.
  for (const { fieldName, arguments: args } of cache.inspectFields('Query')) {
    const found = lists.includes(fieldName) ? null : cache.resolve('Query', fieldName, args ?? undefined);
    if (typeof found === 'string') forgetFields(cache, found, lists);
  }
}

function forgetFields(cache: Cache, entity: string, fields: readonly string[]): void {
  for (const { fieldName, arguments: args } of cache.inspectFields(entity)) {
    if (fields.includes(fieldName)) cache.invalidate(entity, fieldName, args ?? undefined);
  }
}

/** The first change of a retry marks the run that it repeats, which has no change of its own. */
const noteRetry: UpdateResolver = ({ runStatusChanged }, _args, cache) => {
  const { id, retryOf } = (runStatusChanged as { run: { id: string; retryOf?: string | null } }).run;
  if (retryOf == null) return;
  const known = cache.resolve({ __typename: 'Run', id: retryOf }, 'retriedBy') as string | null | undefined;
  // Only a run that was read has the field. Ids ascend: an older retry must not replace a newer one.
  if (known === undefined || (known !== null && known >= id)) return;
  cache.writeFragment(RETRIED, { id: retryOf, retriedBy: id });
};

// A text, as the generated documents are: urql parses it.
const RETRIED = 'fragment _ on Run{id retriedBy}' as unknown as TypedDocumentNode;
