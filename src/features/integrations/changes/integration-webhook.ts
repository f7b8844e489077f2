import { type Transaction } from '../../../platform/db/database.js';
import { recordEvents } from '../../webhooks/record-events.js';
import { type Integration } from '../integration.entity.js';
import { type ChangeFollower } from './record-change.js';

/** Records an event for webhooks with each change: `integration.<status after it>`, or `integration.deleted`. */
export const recordChangeEvents: ChangeFollower = async (tx, integration, { reason, at, hops }) => {
  const type = reason === 'deleted' ? 'integration.deleted' : (`integration.${integration.status}` as const);
  await recordEvent(tx, at, type, integration, hops);
};

/** Records `integration.expiring` for webhooks, in the caller's transaction. */
export async function recordExpiringEvent(tx: Transaction, now: Date, integration: Integration): Promise<void> {
  await recordEvent(tx, now, 'integration.expiring', integration);
}

type IntegrationEventType = 'integration.expiring' | 'integration.deleted' | `integration.${Integration['status']}`;

async function recordEvent(tx: Transaction, at: Date, type: IntegrationEventType, integration: Integration, hops = 0) {
  const { accountId } = integration;
  await recordEvents(tx, at, [{ type, accountId, workflowUuid: null, data: shapeOf(integration), hops }]);
}

/** The object of `GET /integrations/{id}` without `renews` and `events_url`, which the row alone does not give. */
function shapeOf(integration: Integration): object {
  const { id, type, name, status, connectedAt, expiresAt, version, statusReason, reference, account } = integration;
  return {
    id,
    type,
    name,
    status,
    connected_at: connectedAt,
    expires_at: expiresAt,
    version,
    ...(statusReason !== null && { status_reason: statusReason }),
    ...(reference !== null && { reference }),
    ...(account !== null && { account: { id: account.externalId, name: account.name } }),
    ...(integration.scopes.length > 0 && { scopes: integration.scopes }),
  };
}
