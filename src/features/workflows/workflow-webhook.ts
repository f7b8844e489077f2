import { changeTimeSql } from '../../platform/changes/change-time.js';
import { isoSql } from '../../platform/db/iso-sql.js';
import { EVENT_BYTES, eventBytes, type EventSql, logging, telling } from '../webhooks/record-events.js';
import { Workflow } from './workflow.entity.js';

/** SQL expressions for the values that are not in the workflow's row. */
export interface WorkflowEventSql {
  type: 'workflow.created' | 'workflow.updated' | 'workflow.deleted';
  /** A new uuid. */
  event: string;
  now: string;
  /** How many runs in a row led to it. */
  hops: string;
}

/** The body if it is known before the statement, or else the workflow's public id: the statement then builds it. */
type BodySql = { body: string } | { id: string };

/** The two parts that record an event in the statement of its change. */
interface Recording {
  /** A statement for the `WITH` that adds the event to the log. */
  logged: string;
  /** The column `told` for the select list, which creates the deliveries: their number. */
  told: string;
}

/** SQL that records the event of a statement that changes the workflow `w`. The event is in REST's shape. */
export function recordWorkflowEvent({ type, event, now, hops, ...given }: WorkflowEventSql & BodySql): Recording {
  const time = type === 'workflow.deleted' ? changeTimeSql(now, 'w.updated_at') : 'w.updated_at';
  const recorded: EventSql = {
    event: `${event}::uuid`,
    accountId: 'w.account_id',
    type: `'${type}'`,
    // Webhooks for a deleted workflow are deleted with it; the others are for all workflows.
    workflowId: type === 'workflow.deleted' ? 'NULL::uuid' : 'w.id',
    hops: `${hops}::integer`,
    body: 'body' in given ? given.body : bodyOfRow(type, time, given.id),
    at: `${now}::timestamptz`,
    timestamp: time,
  };
  return { logged: logging(recorded, 'w'), told: `${telling(recorded)} AS told` };
}

function bodyOfRow(type: string, time: string, id: string): string {
  const dataWith = (description: string): string =>
    `json_build_object('id', ${id}::text, 'name', w.name, ${description} 'status', w.status,
       'created_at', ${isoSql('w.created_at')}, 'updated_at', ${isoSql('w.updated_at')}, 'run_count', w.run_count)`;
  // REST omits an empty description, too.
  const data = `CASE WHEN w.description IS NULL THEN ${dataWith('')} ELSE ${dataWith(`'description', w.description,`)} END`;
  return `json_build_object('type', '${type}', 'timestamp', ${isoSql(time)}, 'data', ${data})::text`;
}

/** A workflow as a statement returns it that has recorded its event. */
export class ToldWorkflow extends Workflow {
  told: number;
}

/** The bytes of the event of a workflow, whose other members have as many as a row. An account has a log by default. */
export function workflowEventBytes({ name, description, told }: ToldWorkflow): number {
  const text = EVENT_BYTES + Buffer.byteLength(name) + Buffer.byteLength(description ?? '');
  return eventBytes({ text, isLogged: true, deliveries: told });
}

/** The body of the event of a new workflow. For PostgreSQL it would cost a tenth of the whole statement. */
export function createdBody(workflow: Pick<Workflow, 'id' | 'name' | 'description' | 'status' | 'createdAt'>): string {
  const { id, name, description, status, createdAt } = workflow;
  const data = {
    ...{ id, name, description: description ?? undefined, status },
    ...{ created_at: createdAt, updated_at: createdAt, run_count: 0 },
  };
  return JSON.stringify({ type: 'workflow.created', timestamp: createdAt, data });
}
