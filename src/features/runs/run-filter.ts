import { fromPublicId } from '../../platform/ids/ids.js';
import { type RunFilter } from './run.inputs.js';
import { lowestUuidAt } from '../../platform/ids/uuid-range.js';
import { type RunsWhere, searchCondition } from './run-search.js';

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
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value) + 1}`;
  const within = indexed(args, workflow, trigger, parameter);
  const conditions = within.map((condition) => condition('r'));
  if (args.status) conditions.push(`r.status = ${parameter(args.status)}`);
  if (args.errorCode != null) conditions.push(`r.error->>'code' = ${parameter(args.errorCode)}`);
  if (args.isTest != null) conditions.push(`r.is_test = ${parameter(args.isTest)}`);
  if (args.search) conditions.push(searchCondition(args.search, within, parameter));
  const isSought =
    Boolean(args.status ?? args.search) ||
    args.errorCode != null ||
    args.isTest != null ||
    (workflow !== null && trigger !== null);
  return { where: conditions.join(' AND '), values, reads: isSought ? 'many' : 'few' };
}

/** The conditions that an index serves, so that the newest runs within them cost no others. */
function indexed(
  { createdAfter, createdBefore }: RunFilter,
  workflow: string | null,
  trigger: string | null,
  parameter: (value: unknown) => string,
): RunsWhere[] {
  const within: RunsWhere[] = [];
  const add = (condition: (alias: string, parameter: string) => string, value: unknown): void => {
    const place = parameter(value);
    within.push((alias) => condition(alias, place));
  };
  if (workflow !== null) add((run, p) => `${run}.workflow_id = ${p}`, workflow);
  // Runs no longer show a deleted trigger, so filtering by it finds none.
  if (trigger !== null) {
    add((run, p) => `${run}.trigger_id = ${p} AND EXISTS (SELECT 1 FROM triggers WHERE id = ${p})`, trigger);
  }
  // Times as id ranges: they use the index and skip the partitions of other weeks.
  if (createdAfter) add((run, p) => `${run}.id >= ${p}`, lowestUuidAt(createdAfter.getTime() + 1));
  if (createdBefore) add((run, p) => `${run}.id < ${p}`, lowestUuidAt(createdBefore.getTime()));
  return within;
}
