import { isDeepStrictEqual } from 'node:util';
import { type AuditedChange, type Facts } from '../../audit-log/record-audit.js';
import { type Trigger } from '../trigger.entity.js';

/** The keys of configs that the audit log has: the others may be secrets, or values of a filter. */
const PUBLIC_KEYS = [
  ...['cron', 'timezone', 'catch_up'],
  ...['signature_header', 'dedupe_header'],
  ...['event', 'integration_id'],
];

/** A change of a trigger for the audit log. Null: it was not there before, or is not after. */
export function triggerAudit(
  action: Extract<AuditedChange['action'], `trigger.${string}`>,
  before: Trigger | null,
  after: Trigger | null,
): AuditedChange {
  const { accountId, uuid, name } = (after ?? before)!;
  const facts = { before: before && factsOf(before), after: after && factsOf(after) };
  const changesUnseen = !isDeepStrictEqual(before?.config, after?.config);
  return { accountId, action, resource: uuid, name, ...facts, changesUnseen };
}

function factsOf({ name, type, status, workflowId, config }: Trigger): Facts {
  const shown = PUBLIC_KEYS.filter((key) => Object.hasOwn(config, key)).map((key) => [key, config[key]]);
  return { name, type, status, workflow_id: workflowId, config: Object.fromEntries(shown) as Facts };
}
