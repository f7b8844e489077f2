import { recording } from '../webhooks/record-events.js';

/** SQL expressions for the values that are not in the workflow's row. */
export interface WorkflowEventSql {
  type: 'workflow.created' | 'workflow.updated' | 'workflow.deleted';
  /** A new uuid. */
  event: string;
  /** The workflow's public id. */
  id: string;
  now: string;
  /** How many runs in a row led to it. */
  hops: string;
}

/**
 * A column `told` for the select list of a statement that changes the workflow `w`. It records the webhook event in the
 * same statement; its value is unused. The event is in REST's shape.
 */
export function recordWorkflowEvent({ type, event, id, now, hops }: WorkflowEventSql): string {
  const data = `json_build_object('id', ${id}::text, 'name', w.name, 'description', w.description, 'status', w.status,
    'created_at', ${iso('w.created_at')}, 'updated_at', ${iso('w.updated_at')}, 'run_count', w.run_count)`;
  const body = `json_build_object('type', '${type}', 'timestamp', ${iso(`${now}::timestamptz`)}, 'data', ${data})`;
  const told = recording({
    event: `${event}::uuid`,
    accountId: 'w.account_id',
    type: `'${type}'`,
    // Webhooks for a deleted workflow are deleted with it; the others are for all workflows.
    workflowId: type === 'workflow.deleted' ? 'NULL::uuid' : 'w.id',
    hops: `${hops}::integer`,
    body: `json_strip_nulls(${body})::text`,
    at: `${now}::timestamptz`,
  });
  return `${told} AS told`;
}

function iso(moment: string): string {
  return `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
