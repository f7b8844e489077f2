import { type ErrorCode } from '../../platform/errors.js';

/** One URL of `/v1`. `operation` is the name of its document in `schema/rest/<feature>/`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/v1`; `{name}` is a path parameter, and the document's variable of that name. */
  path: string;
  feature: string;
  operation: string;
  /** The status of success; by type name where the result is a union. */
  status: number | Readonly<Record<string, number>>;
  /** The path of what a 201 has created; `{a.b}` is a field of the body. It names a resource even where there is no GET. */
  location?: string;
  /** The field below the root field that becomes the response, e.g. `runs`. */
  below?: string;
  /** True where a name that the route does not know is an error and not ignored: a mistyped filter must not mean everything. */
  refusesUnknownNames?: true;
  /** Whether the response may be of an open OAuth flow, whose outcome its `Link` with `rel="monitor"` waits for. */
  monitors?: true;
  /**
   * True where a resource in the wrong state refuses a request before the fields are checked. Without any fields its
   * operation must refuse every request.
   */
  stateFirst?: true;
  /** Error codes beyond those implied by access, parameters and body; for OpenAPI. */
  refusals?: readonly ErrorCode[];
  /** False for a POST that takes no `Idempotency-Key`: its response holds a secret that is shown once. */
  repeatable?: false;
}

/** Whether a POST takes an `Idempotency-Key`. */
export function takesIdempotencyKey({ method, repeatable }: Route): boolean {
  return method === 'POST' && repeatable !== false;
}

/** For routes that verify the given credentials with the application. */
const ASKS_APPLICATION: readonly ErrorCode[] = ['conflict', 'invalid_credentials', 'provider_unavailable'];

/** For routes that call an application through a connection. */
const CALLS_APPLICATION: readonly ErrorCode[] = ['not_found', 'not_connected', 'provider_unavailable'];

/** Every route of `/v1`. Documents, OpenAPI, `docs/routes.md` and the suites of tests all loop over this table. */
// prettier-ignore
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/workflows', feature: 'workflows', operation: 'ListWorkflows', status: 200 },
  { method: 'POST', path: '/workflows', feature: 'workflows', operation: 'CreateWorkflow', status: 201, location: '/workflows/{id}' },
  { method: 'GET', path: '/workflows/{id}', feature: 'workflows', operation: 'GetWorkflow', status: 200 },
  { method: 'PUT', path: '/workflows/{id}', feature: 'workflows', operation: 'UpdateWorkflow', status: 200 },
  { method: 'DELETE', path: '/workflows/{id}', feature: 'workflows', operation: 'DeleteWorkflow', status: 204 },
  { method: 'GET', path: '/workflows/{id}/actions', feature: 'actions', operation: 'GetWorkflowActions', status: 200 },
  { method: 'PUT', path: '/workflows/{id}/actions', feature: 'actions', operation: 'SetWorkflowActions', status: 200 },
  { method: 'GET', path: '/workflows/{id}/runs', feature: 'runs', operation: 'ListWorkflowRuns', status: 200, below: 'runs' },
  { method: 'POST', path: '/workflows/{id}/runs', feature: 'runs', operation: 'CreateWorkflowRun', status: 201, location: '/runs/{id}', refusals: ['conflict'] },

  { method: 'GET', path: '/integrations', feature: 'integrations', operation: 'ListIntegrations', status: 200 },
  { method: 'POST', path: '/integrations/connect', feature: 'integrations', operation: 'ConnectIntegration', status: { Integration: 201, IntegrationAuthorization: 200 }, location: '/integrations/{id}', monitors: true, refusals: ASKS_APPLICATION },
  { method: 'POST', path: '/integrations/call', feature: 'integrations', operation: 'CallConnection', status: 200, refusals: CALLS_APPLICATION },
  { method: 'GET', path: '/integrations/{id}', feature: 'integrations', operation: 'GetIntegration', status: 200, monitors: true, refusals: ['rate_limited'] },
  { method: 'PUT', path: '/integrations/{id}', feature: 'integrations', operation: 'UpdateIntegration', status: 200 },
  { method: 'DELETE', path: '/integrations/{id}', feature: 'integrations', operation: 'DeleteIntegration', status: 204 },
  { method: 'GET', path: '/integrations/{id}/history', feature: 'integrations', operation: 'ListIntegrationHistory', status: 200, below: 'history' },
  { method: 'POST', path: '/integrations/{id}/reconnect', feature: 'integrations', operation: 'ReconnectIntegration', status: 200, monitors: true, refusals: ASKS_APPLICATION },
  { method: 'POST', path: '/integrations/{id}/disconnect', feature: 'integrations', operation: 'DisconnectIntegration', status: 200 },
  { method: 'POST', path: '/integrations/{id}/test', feature: 'integrations', operation: 'TestIntegration', status: 200 },
  { method: 'POST', path: '/integrations/{id}/call', feature: 'integrations', operation: 'CallIntegration', status: 200, refusals: CALLS_APPLICATION },
  { method: 'POST', path: '/connect_sessions', feature: 'integrations', operation: 'CreateConnectSession', status: 201, location: '/connect_sessions/{id}', refusals: ['conflict'] },
  { method: 'GET', path: '/integration_types', feature: 'integrations', operation: 'ListIntegrationTypes', status: 200 },

  { method: 'GET', path: '/triggers', feature: 'triggers', operation: 'ListTriggers', status: 200 },
  { method: 'POST', path: '/triggers', feature: 'triggers', operation: 'CreateTrigger', status: 201, location: '/triggers/{id}' },
  { method: 'GET', path: '/triggers/{id}', feature: 'triggers', operation: 'GetTrigger', status: 200 },
  { method: 'PUT', path: '/triggers/{id}', feature: 'triggers', operation: 'UpdateTrigger', status: 200 },
  { method: 'DELETE', path: '/triggers/{id}', feature: 'triggers', operation: 'DeleteTrigger', status: 204 },

  { method: 'GET', path: '/runs', feature: 'runs', operation: 'ListRuns', status: 200 },
  { method: 'GET', path: '/runs/{id}', feature: 'runs', operation: 'GetRun', status: 200, refusals: ['rate_limited'] },
  { method: 'POST', path: '/runs/{id}/cancel', feature: 'runs', operation: 'CancelRun', status: 200, refusals: ['conflict'] },
  { method: 'POST', path: '/runs/{id}/retry', feature: 'runs', operation: 'RetryRun', status: 201, location: '/runs/{id}', refusals: ['conflict'] },
  { method: 'POST', path: '/runs/retry', feature: 'runs', operation: 'RetryRuns', status: 202, refusesUnknownNames: true, refusals: ['conflict'] },
  { method: 'POST', path: '/runs/cancel', feature: 'runs', operation: 'CancelRuns', status: 202, refusesUnknownNames: true, refusals: ['conflict'] },
  { method: 'GET', path: '/bulk/{id}', feature: 'runs', operation: 'GetBulkOperation', status: 200 },
  { method: 'POST', path: '/bulk/{id}/cancel', feature: 'runs', operation: 'CancelBulkOperation', status: 200 },

  { method: 'GET', path: '/waits', feature: 'waits', operation: 'ListWaits', status: 200 },
  { method: 'GET', path: '/waits/{id}', feature: 'waits', operation: 'GetWait', status: 200, refusals: ['rate_limited'] },
  { method: 'POST', path: '/waits/{id}/answer', feature: 'waits', operation: 'AnswerWait', status: 200, stateFirst: true, refusals: ['conflict'] },

  { method: 'GET', path: '/webhooks', feature: 'webhooks', operation: 'ListWebhooks', status: 200 },
  { method: 'POST', path: '/webhooks', feature: 'webhooks', operation: 'CreateWebhook', status: 201, location: '/webhooks/{id}', below: 'webhook' },
  { method: 'GET', path: '/webhooks/{id}', feature: 'webhooks', operation: 'GetWebhook', status: 200 },
  { method: 'PUT', path: '/webhooks/{id}', feature: 'webhooks', operation: 'UpdateWebhook', status: 200 },
  { method: 'DELETE', path: '/webhooks/{id}', feature: 'webhooks', operation: 'DeleteWebhook', status: 204 },
  { method: 'POST', path: '/webhooks/{id}/rotate_secret', feature: 'webhooks', operation: 'RotateWebhookSecret', status: 200, below: 'webhook', refusals: ['conflict'] },
  { method: 'POST', path: '/webhooks/{id}/test', feature: 'webhooks', operation: 'TestWebhook', status: 202, refusals: ['conflict'] },
  { method: 'POST', path: '/webhooks/{id}/redeliver', feature: 'webhooks', operation: 'RedeliverWebhook', status: 202, refusals: ['conflict'] },
  { method: 'GET', path: '/webhooks/{id}/deliveries', feature: 'webhooks', operation: 'ListWebhookDeliveries', status: 200, below: 'deliveries' },
  { method: 'GET', path: '/webhooks/{id}/deliveries/{delivery_id}', feature: 'webhooks', operation: 'GetWebhookDelivery', status: 200 },
  { method: 'POST', path: '/webhooks/{id}/deliveries/{delivery_id}/redeliver', feature: 'webhooks', operation: 'RedeliverWebhookDelivery', status: 202, refusals: ['conflict'] },

  { method: 'GET', path: '/events', feature: 'events', operation: 'ListEvents', status: 200, refusals: ['gone', 'rate_limited'] },

  { method: 'GET', path: '/account', feature: 'accounts', operation: 'GetAccount', status: 200 },
  { method: 'PUT', path: '/account', feature: 'accounts', operation: 'UpdateAccount', status: 200, refusals: ['conflict'] },

  { method: 'GET', path: '/audit_log', feature: 'audit-log', operation: 'ListAuditLog', status: 200 },

  { method: 'GET', path: '/api_keys', feature: 'api-keys', operation: 'ListApiKeys', status: 200 },
  { method: 'POST', path: '/api_keys', feature: 'api-keys', operation: 'CreateApiKey', status: 201, location: '/api_keys/{api_key.id}', repeatable: false },
  { method: 'POST', path: '/api_keys/{id}/rotate', feature: 'api-keys', operation: 'RotateApiKey', status: 201, location: '/api_keys/{api_key.id}', refusals: ['conflict'], repeatable: false },
  { method: 'DELETE', path: '/api_keys/{id}', feature: 'api-keys', operation: 'RevokeApiKey', status: 204 },
];
