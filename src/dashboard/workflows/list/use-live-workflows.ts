import { useQuery } from 'urql';
import { type WorkflowStatus } from '../../graphql/enums.generated.js';
import { useRunChanges } from '../../runs/use-run-changes.js';
import { useOnReturn } from '../../ui/use-on-return.js';
import { useSoon } from '../../ui/use-soon.js';
import { WorkflowsDocument } from '../workflows.generated.js';

/**
 * A page of workflows, fetched again when a run changes and when the user returns to the window: no event reports a new
 * workflow.
 */
export function useLiveWorkflows(variables: WorkflowVariables) {
  const [{ data, error, fetching, stale }, ask] = useQuery({ query: WorkflowsDocument, variables });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  useRunChanges(undefined, useSoon(reload));
  useOnReturn(reload);
  return { workflows: data?.workflows, error, fetching: fetching && !stale, reload };
}

interface WorkflowVariables {
  page: number;
  perPage: number;
  status: WorkflowStatus | undefined;
  search: string | undefined;
}
