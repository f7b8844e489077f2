import { type RunStatus } from '../../graphql/enums.generated.js';
import { type RunsQueryVariables } from '../runs.generated.js';

/** What a bulk request does with its runs. */
export type BulkVerb = 'retry' | 'cancel';

/** The filters of a list of runs. */
export type ListFilter = Omit<RunsQueryVariables, 'first' | 'after' | 'last' | 'before'>;

/** The filters of a bulk request. */
export type BulkFilter = Pick<
  RunsQueryVariables,
  'workflowId' | 'triggerId' | 'status' | 'createdAfter' | 'createdBefore' | 'isTest'
>;

/** The statuses that each verb takes. A retry of the dashboard begins at the failed step. */
const TAKES: Readonly<Record<BulkVerb, readonly RunStatus[]>> = {
  retry: ['FAILED', 'CANCELED'],
  cancel: ['QUEUED', 'RUNNING', 'WAITING'],
};

/** The filters of a list for a bulk request; undefined for a search, which such a request does not take. */
export function bulkFilterOf({ search, ...filters }: ListFilter): BulkFilter | undefined {
  const { workflowId, triggerId, status, createdAfter, createdBefore, isTest } = filters;
  if ((search ?? '') !== '') return undefined;
  const given = { workflowId, triggerId, status, createdAfter, createdBefore, isTest };
  // The service refuses null: it may be a mistake, and must not mean every run.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
}

/** The statuses that a request with this filter takes; none if it has another one. */
export function statusesOf(verb: BulkVerb, { status }: BulkFilter): readonly RunStatus[] {
  return TAKES[verb].filter((one) => status == null || status === one);
}
