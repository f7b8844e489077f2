import { RunList } from '../../runs/list/run-list.js';
import { useWorkflow } from '../workflow-context.js';

/** `/workflows/:id/runs`: its runs, live. */
export function RunsTab() {
  const { workflow } = useWorkflow();
  return <RunList workflowId={workflow.id} />;
}
