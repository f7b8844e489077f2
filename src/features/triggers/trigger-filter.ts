import { containing } from '../../platform/db/text-search.js';
import { fromPublicId } from '../../platform/ids/ids.js';
import { type TriggerFilter } from './trigger.inputs.js';

/** A further condition of a list of `triggers t` and its values from `$2` on; empty without one. */
export interface TriggerCondition {
  where: string;
  values: unknown[];
}

/** The SQL condition for a list; undefined if an id is malformed, so that nothing can match. */
export function triggerFilter({ workflowId, type, status, search }: TriggerFilter): TriggerCondition | undefined {
  const workflow = workflowId == null ? null : fromPublicId('wf', workflowId);
  if (workflow === undefined) return undefined;
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: (parameter: string) => string, value: unknown) =>
    conditions.push(condition(`$${values.push(value) + 1}`));
  if (workflow !== null) add((p) => `t.workflow_id = ${p}`, workflow);
  if (type) add((p) => `t.type = ${p}`, type);
  if (status) add((p) => `t.status = ${p}`, status);
  if (search) add(contains, containing(search));
  return { where: conditions.join(' AND '), values };
}

/** No index helps: an account has at most 10,000 triggers. */
function contains(p: string): string {
  return `(t.name ILIKE ${p} OR t.event ILIKE ${p} OR t.config->>'cron' ILIKE ${p}
    OR EXISTS (SELECT 1 FROM workflows w WHERE w.id = t.workflow_id AND w.name ILIKE ${p}))`;
}
