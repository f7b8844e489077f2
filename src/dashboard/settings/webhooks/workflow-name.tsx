import { useQuery } from 'urql';
import { WorkflowNameDocument } from '../../runs/workflow-choices.generated.js';

/** The name of a workflow by its id; dots while it loads, the id if it can't be loaded. */
export function WorkflowName({ id }: { id: string }) {
  const [{ data, error }] = useQuery({ query: WorkflowNameDocument, variables: { id }, requestPolicy: 'cache-first' });
  return <>{data?.workflow.name ?? (error === undefined ? '…' : id)}</>;
}
