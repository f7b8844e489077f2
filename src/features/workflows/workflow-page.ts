import { type Page, type PageArgs, toPage } from '../../platform/db/pagination.js';
import { Workflow } from './workflow.entity.js';

/** A workflow of a list, beside the total that each row of its statement carries. */
export class WorkflowOfPage extends Workflow {
  total: number;
}

/** The page of rows of which each carries the total; one beyond the last page is one row, of the total alone. */
export function toTotaledPage(rows: WorkflowOfPage[], args: PageArgs): Page<Workflow> {
  const { total, uuid } = rows[0]!;
  return toPage((uuid as string | null) === null ? [] : rows, total, args);
}
