import { type RequestContext } from '../../platform/context.js';
import { type Database } from '../../platform/db/database.js';
import { limitOf, offsetOf, orderOf, type Page, placesOf, type Span } from '../../platform/db/pages/pagination.js';
import { containing } from '../../platform/db/text-search.js';
import { type Workflow } from './workflow.entity.js';
import { type WorkflowFilter } from './workflow.inputs.js';
import { toTotaledPage, WorkflowOfPage } from './workflow-page.js';
import { COLUMNS } from './workflow.statements.js';

/**
 * The account's workflows with a text in name or description, newest first. Reads each workflow once, for page and
 * total. There is no index for it, because every create would pay for that; see docs/performance.md.
 */
export async function searchWorkflows(
  db: Database,
  { accountId }: RequestContext,
  { status, search }: WorkflowFilter & { search: string },
  span: Span,
): Promise<Page<Workflow>> {
  const filter = status ? { where: 'AND w.status = $7', values: [status] } : { where: '', values: [] };
  const { after, before } = placesOf(span, 'wf');
  const rows = await db.expensive.select(
    WorkflowOfPage,
    `WITH found AS MATERIALIZED (
       SELECT w.id FROM workflows w
       WHERE w.account_id = $1 AND (w.name ILIKE $4 OR w.description ILIKE $4) ${filter.where})
     SELECT t.total, p.* FROM (SELECT count(*) AS total FROM found) t
     LEFT JOIN LATERAL (
       SELECT ${COLUMNS} FROM workflows w
       WHERE w.id IN (SELECT id FROM found WHERE id < $5 AND id > $6 ORDER BY id ${orderOf(span)} LIMIT $2 OFFSET $3)
     ) p ON true ORDER BY p.uuid ${orderOf(span)}`,
    [accountId, limitOf(span), offsetOf(span), containing(search), after, before, ...filter.values],
  );
  return toTotaledPage(rows, span);
}
