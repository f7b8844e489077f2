import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { notifyDone } from '../ui/notify.js';
import { useAction } from '../ui/use-action.js';
import classes from './delete-workflow.module.css';
import { type WorkflowOfPage } from './workflow-context.js';
import { DeleteWorkflowDocument, WorkflowDependentsDocument } from './workflow.generated.js';

/** Asks for the name before a workflow goes, and says what goes with it. */
export function DeleteWorkflowDialog({ workflow, opened, onClose }: DeleteWorkflowDialogProps) {
  const navigate = useNavigate();
  const { run, running } = useAction(DeleteWorkflowDocument);
  const remove = async () => {
    if ((await run({ id: workflow.id })) === undefined) return;
    notifyDone(`“${workflow.name}” is deleted.`);
    await navigate('/workflows', { state: { isGone: true } });
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete “${workflow.name}”?`}
      confirmLabel="Delete workflow"
      onConfirm={() => void remove()}
      running={running}
      typeToConfirm={workflow.name}
    >
      {opened && <WhatGoes workflow={workflow} />}
    </ConfirmDialog>
  );
}

function WhatGoes({ workflow: { id, triggers } }: { workflow: WorkflowOfPage }) {
  const [{ data }] = useQuery({
    query: WorkflowDependentsDocument,
    variables: { id },
    requestPolicy: 'network-only',
  });
  const queued = data?.queued.meta.total;
  const webhooks = data?.webhooks.items.filter(({ workflowId }) => workflowId === id).length;
  return (
    <div className={classes.words}>
      This cannot be undone. With it go:
      <ul>
        <li>{counted(triggers.meta.total, 'trigger')}; their addresses and schedules end at once</li>
        <li>{counted(queued, 'queued run')}, which never start; running ones stop after their step</li>
        <li>{counted(webhooks, 'webhook')} registered for it alone</li>
      </ul>
    </div>
  );
}

function counted(count: number | undefined, what: string): string {
  if (count === undefined) return `its ${what}s`;
  return count === 1 ? `1 ${what}` : `${count === 0 ? 'no' : count.toLocaleString('en')} ${what}s`;
}

interface DeleteWorkflowDialogProps {
  workflow: WorkflowOfPage;
  opened: boolean;
  onClose: () => void;
}
