import { type AuditedChange, type Facts } from '../audit-log/record-audit.js';
import { type Webhook } from './webhook.entity.js';

/** A change of a webhook for the audit log. Null: it was not there before, or is not after. */
export function webhookAudit(
  action: Extract<AuditedChange['action'], `webhook.${string}`>,
  before: Webhook | null,
  after: Webhook | null,
): AuditedChange {
  const { accountId, uuid, url } = (after ?? before)!;
  const name = new URL(url).host;
  const facts = { before: before && factsOf(before), after: after && factsOf(after) };
  // A caller who disables it again takes the place of the one before, or of the service with its reason. A caller who
  // enables it again resets the time since when it has been failing.
  const changesUnseen =
    before?.url !== after?.url ||
    before?.disabledById !== after?.disabledById ||
    (before?.failingSince != null && after?.failingSince == null);
  return { accountId, action, resource: uuid, name, ...facts, changesUnseen };
}

/** The path and query of a URL may be a secret, as with the hooks of chats. */
function factsOf({ url, events, status, workflowId }: Webhook): Facts {
  return { origin: new URL(url).origin, events, status, workflow_id: workflowId };
}
