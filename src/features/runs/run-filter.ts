import { fromPublicId } from '../../platform/ids/ids.js';
import { type RunFilter } from './run.inputs.js';
import { lowestUuidAt } from '../../platform/ids/uuid-range.js';

/** A further condition of a list of `runs r` and its values from `$2` on; empty without one. */
export interface RunCondition {
  where: string;
  values: unknown[];
  /** `few`: an index finds the runs of a page. `many`: the query may also read many runs that don't match. */
  reads: 'few' | 'many';
}

/** The SQL condition for a list; undefined if an id is malformed, so that nothing can match. */
export function runFilter(args: RunFilter): RunCondition | undefined {
  const workflow = args.workflowId == null ? null : fromPublicId('wf', args.workflowId);
  const trigger = args.triggerId == null ? null : fromPublicId('trg', args.triggerId);
  if (workflow === undefined || trigger === undefined) return undefined;
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: (parameter: string) => string, value: unknown) =>
    conditions.push(condition(`$${values.push(value) + 1}`));
  if (workflow !== null) add((p) => `r.workflow_id = ${p}`, workflow);
  // Runs no longer show a deleted trigger, so filtering by it finds none.
  if (trigger !== null) add((p) => `r.trigger_id = ${p} AND EXISTS (SELECT 1 FROM triggers WHERE id = ${p})`, trigger);
  if (args.status) add((p) => `r.status = ${p}`, args.status);
  if (args.isTest != null) add((p) => `r.is_test = ${p}`, args.isTest);
  // Times as id ranges: they use the index and skip the partitions of other weeks.
  if (args.createdAfter) add((p) => `r.id >= ${p}`, lowestUuidAt(args.createdAfter.getTime() + 1));
  if (args.createdBefore) add((p) => `r.id < ${p}`, lowestUuidAt(args.createdBefore.getTime()));
  const isSought = Boolean(args.status) || args.isTest != null || (workflow !== null && trigger !== null);
  return { where: conditions.join(' AND '), values, reads: isSought ? 'many' : 'few' };
}
