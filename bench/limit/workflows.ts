import { type Pool } from 'pg';
import { fromPublicId, newUuid, timeOf, toPublicId } from '../../src/platform/ids/ids.js';
import { anySlot } from '../../src/features/workflows/workflow-totals.js';
import { recordWorkflowEvent } from '../../src/features/workflows/workflow-webhook.js';

interface Row {
  id: string;
  name: string;
  description?: string | null;
  status: string;
  created_at: Date;
  updated_at: Date;
  run_count: number;
  /** Only of a single one. */
  failure_notice_after?: number | null;
}

const FIELDS = 'id, name, description, status, created_at, updated_at, run_count';

const CREATED = recordWorkflowEvent({ type: 'workflow.created', event: '$8', id: '$9', now: '$6', hops: '0' });
const CREATE = `
  WITH counted AS (
    INSERT INTO workflow_totals AS t (account_id, status, slot, total) VALUES ($2, $5::text, $7::smallint, 1)
    ON CONFLICT (account_id, status, slot) DO UPDATE SET total = t.total + excluded.total),
  w AS (
    INSERT INTO workflows (id, account_id, name, description, status, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING *),
  logged AS (${CREATED.logged})
  SELECT ${FIELDS}, ${CREATED.told} FROM w`;

/** The page and the total in one statement: one row for each workflow, or a single one without a workflow. */
const LIST = `
  SELECT t.total, w.* FROM (
    SELECT coalesce(sum(total), 0)::bigint AS total FROM workflow_totals WHERE account_id = $1) t
  LEFT JOIN LATERAL (
    SELECT id, name, status, created_at, updated_at, run_count FROM workflows
    WHERE account_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3) w ON true`;

/** `GET /workflows`, as the JSON of REST. */
export async function listWorkflows(pool: Pool, accountId: string, query: URLSearchParams): Promise<unknown> {
  const page = Number(query.get('page') ?? 1);
  const per_page = Number(query.get('per_page') ?? 20);
  const { rows } = await pool.query<Row & { total: number }>({
    name: 'list',
    text: LIST,
    values: [accountId, per_page, (page - 1) * per_page],
  });
  const data = rows.filter(({ id }) => (id as string | null) !== null).map(shape);
  return { data, meta: { total: rows[0]!.total, page, per_page } };
}

/** `GET /workflows/{id}`; undefined when it does not exist. */
export async function getWorkflow(pool: Pool, accountId: string, id: string): Promise<unknown> {
  const { rows } = await pool.query<Row>({
    name: 'get',
    text: `SELECT ${FIELDS}, failure_notice_after FROM workflows WHERE id = $1 AND account_id = $2`,
    values: [fromPublicId('wf', id), accountId],
  });
  return rows[0] && shape(rows[0]);
}

/** `POST /workflows`: the row, its counter and its webhook events, in one transaction of one statement. */
export async function createWorkflow(
  pool: Pool,
  accountId: string,
  { name, description, status = 'draft' }: Partial<Record<string, string>>,
): Promise<unknown> {
  if (typeof name !== 'string' || name.length < 1 || name.length > 255) throw new Error('name');
  const id = newUuid(new Date());
  const now = timeOf(id);
  const event = [newUuid(now), toPublicId('wf', id)];
  const { rows } = await pool.query<Row>({
    name: 'create',
    text: CREATE,
    values: [id, accountId, name, description ?? null, status, now, anySlot(), ...event],
  });
  return shape(rows[0]!);
}

function shape({
  id,
  name,
  description,
  status,
  failure_notice_after,
  created_at,
  updated_at,
  run_count,
}: Row): unknown {
  const about = typeof description === 'string' ? { description } : {};
  const notice = failure_notice_after === undefined ? {} : { failure_notice_after };
  return { id: toPublicId('wf', id), name, ...about, status, ...notice, created_at, updated_at, run_count };
}
