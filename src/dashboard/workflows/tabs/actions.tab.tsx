import { Notice } from '../../ui/pages/notice.js';
import { ActionsEditor } from '../editor/actions-editor.js';
import { useWorkflow } from '../workflow-context.js';

/** `/workflows/:id/actions`: the editor of its actions. */
export function ActionsTab() {
  const { workflow, state, saving, testing, setTesting } = useWorkflow();
  const archived = workflow.status === 'ARCHIVED';
  if (workflow.actionsUnreadable !== null) {
    return (
      <Notice tone="bad" title="Its actions cannot be read">
        {workflow.actionsUnreadable}
      </Notice>
    );
  }
  return (
    <ActionsEditor
      workflowId={workflow.id}
      state={state}
      saving={saving}
      testing={testing}
      onTest={() => setTesting(testing + 1)}
      onTestEnd={() => setTesting(0)}
      testRefusal={archived ? 'The workflow is archived. Restore it to test it.' : undefined}
    />
  );
}
