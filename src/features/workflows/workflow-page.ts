import { type Page, type Span, toPage } from '../../platform/db/pages/pagination.js';
import { Workflow } from './workflow.entity.js';

/** A workflow of a list, with the total that each row of its statement carries. */
export class WorkflowOfPage extends Workflow {
  total: number;
}

/** Makes a page of rows that each carry the total. Beyond the last page there is one row with only the total. */
export function toTotaledPage(rows: WorkflowOfPage[], span: Span): Page<Workflow> {
  const { total, uuid } = rows[0]!;
  return toPage<Workflow>((uuid as string | null) === null ? [] : rows, total, span, ({ id }) => id);
}
