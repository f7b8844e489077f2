import { isWanted, recordingCtes } from '../webhooks/record-events.js';

/** SQL of the values that the row does not hold. */
export interface WorkflowTold {
  type: 'workflow.created' | 'workflow.updated' | 'workflow.deleted';
  /** A new uuid. */
  event: string;
  /** The workflow's public id. */
  id: string;
  now: string;
}

/**
 * CTEs that tell webhooks of the workflow in the CTE `w`, in REST's shape: they cost the statement that changes it no
 * second one.
 */
export function tellOfWorkflow({ type, event, id, now }: WorkflowTold): string {
  const data = `json_build_object('id', ${id}::text, 'name', w.name, 'description', w.description, 'status', w.status,
    'created_at', ${iso('w.created_at')}, 'updated_at', ${iso('w.updated_at')}, 'run_count', w.run_count)`;
  const body = `json_build_object('type', '${type}', 'timestamp', ${iso(`${now}::timestamptz`)}, 'data', ${data})`;
  // Webhooks of a deleted workflow go with it: those that are left hear of all.
  const of = type === 'workflow.deleted' ? 'NULL::uuid' : 'w.id';
  return recordingCtes(
    `SELECT ${event}::uuid AS id, w.account_id, '${type}'::text AS type, ${of} AS workflow_id, 0 AS hops,
            json_strip_nulls(${body})::text AS body, ${now}::timestamptz AS at
     FROM w WHERE ${isWanted('w.account_id', `'${type}'`, of)}`,
  );
}

function iso(moment: string): string {
  return `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
