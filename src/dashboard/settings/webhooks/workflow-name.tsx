import { useQuery } from 'urql';
import { WorkflowNameDocument } from '../../runs/workflow-choices.generated.js';

/** The name of a workflow that is known by its id; dots while it is asked for. */
export function WorkflowName({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: WorkflowNameDocument, variables: { id }, requestPolicy: 'cache-first' });
  return <>{data?.workflow.name ?? '…'}</>;
}
