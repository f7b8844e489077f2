import { type Cache, cacheExchange, type UpdateResolver } from '@urql/exchange-graphcache';
import { type Exchange } from 'urql';

/** Types that are known by where they hang, not by an id of their own. */
const EMBEDDED = [
  ...['PageMeta', 'WorkflowPage', 'IntegrationPage', 'IntegrationTypePage', 'TriggerPage', 'RunPage', 'WebhookPage'],
  ...['WebhookDeliveryPage', 'ApiKeyPage', 'IntegrationStatusChangePage', 'UserPage', 'InvitationPage'],
  ...['Action', 'Step', 'RunError', 'AppParameter', 'ConnectedAccount', 'IntegrationAuthorization', 'IntegrationTest'],
  ...['CreatedApiKey', 'CreatedWebhook', 'ConnectSession', 'Viewer', 'RunStatusChange'],
  ...['RunStatistics', 'RunStatisticsBucket', 'RunCount', 'UpcomingFiring'],
];

/** Mutations after which lists hold one more or one less: the lists that are asked for anew. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  createWorkflow: ['workflows'],
  createTrigger: ['triggers'],
  createWebhook: ['webhooks'],
  createApiKey: ['apiKeys'],
  rotateApiKey: ['apiKeys'],
  connectIntegration: ['integrations'],
  runWorkflow: ['runs'],
  testWorkflow: ['runs'],
  retryRun: ['runs'],
  inviteUser: ['invitations'],
};

/** Mutations that answer the id of what they have deleted: its type and the lists that held it. */
const DELETIONS: Readonly<Record<string, { type: string; lists: readonly string[] }>> = {
  deleteWorkflow: { type: 'Workflow', lists: ['workflows', 'triggers', 'webhooks'] },
  deleteTrigger: { type: 'Trigger', lists: ['triggers'] },
  deleteIntegration: { type: 'Integration', lists: ['integrations'] },
  deleteWebhook: { type: 'Webhook', lists: ['webhooks'] },
  revokeInvitation: { type: 'Invitation', lists: ['invitations'] },
  removeUser: { type: 'User', lists: ['users'] },
};

/** The normalized cache: an object that any answer or event brings is right at once wherever it is shown. */
export function createCache(): Exchange {
  return cacheExchange({
    // Without it, what is read of a union is guessed by the fields, and null where the guess is wrong.
    possibleTypes: { ConnectIntegrationResult: ['Integration', 'IntegrationAuthorization'] },
    keys: {
      ...Object.fromEntries(EMBEDDED.map((type) => [type, () => null])),
      IntegrationType: (data) => data.type as string,
    },
    updates: { Mutation: { ...afterCreates(), ...afterDeletions() } },
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

/** What is on screen of these lists, with whatever arguments, is asked for anew; the old stays until then. */
function forgetLists(cache: Cache, lists: readonly string[]): void {
  forgetFields(cache, 'Query', lists);
  // The lists of one thing too, e.g. the triggers of the workflow that is on screen.
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
