import { fromPublicId } from '../../platform/ids/ids.js';
import { type ListRunsArgs } from './run.inputs.js';
import { lowestUuidAt } from '../../platform/ids/uuid-range.js';

/** A condition on `runs r` and its values, the account as `$1`. */
export interface RunFilter {
  where: string;
  values: unknown[];
  /** Whether the runs of a page lie together in an index, or are found by looking at many others too. */
  reads: 'few' | 'many';
}

/** The condition for a list, or undefined when an id in it is ill-formed, so that nothing can match. */
export function runFilter(accountId: string, args: ListRunsArgs): RunFilter | undefined {
  const workflow = args.workflowId == null ? null : fromPublicId('wf', args.workflowId);
  const trigger = args.triggerId == null ? null : fromPublicId('trg', args.triggerId);
  if (workflow === undefined || trigger === undefined) return undefined;
  const conditions = ['r.account_id = $1'];
  const values: unknown[] = [accountId];
  const add = (condition: (parameter: string) => string, value: unknown) =>
    conditions.push(condition(`$${values.push(value)}`));
  if (workflow !== null) add((p) => `r.workflow_id = ${p}`, workflow);
  // A deleted trigger is no longer named by its runs, so it finds none.
  if (trigger !== null) add((p) => `r.trigger_id = ${p} AND EXISTS (SELECT 1 FROM triggers WHERE id = ${p})`, trigger);
  if (args.status) add((p) => `r.status = ${p}`, args.status);
  if (args.isTest != null) add((p) => `r.is_test = ${p}`, args.isTest);
  // Times as ranges of ids: they use the index, and leave out the partitions of other weeks.
  if (args.createdAfter) add((p) => `r.id >= ${p}`, lowestUuidAt(args.createdAfter.getTime() + 1));
  if (args.createdBefore) add((p) => `r.id < ${p}`, lowestUuidAt(args.createdBefore.getTime()));
  const isSought = Boolean(args.status) || args.isTest != null || (workflow !== null && trigger !== null);
  return { where: conditions.join(' AND '), values, reads: isSought ? 'many' : 'few' };
}
