import { useQuery } from 'urql';
import { WorkflowNameDocument } from '../../runs/workflow-choices.generated.js';

/** The name of a workflow that is known by its id; dots while it is asked for, the id where it can't be had. */
export function WorkflowName({ id }: { id: string }) {
  const [{ data, error }] = useQuery({ query: WorkflowNameDocument, variables: { id }, requestPolicy: 'cache-first' });
  return <>{data?.workflow.name ?? (error === undefined ? '…' : id)}</>;
}
