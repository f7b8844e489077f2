import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.js';
import { notifyDone } from '../ui/pages/notify.js';
import { GONE } from '../ui/forms/leave-guard.js';
import { useAction } from '../ui/forms/use-action.js';
import classes from './delete-workflow.module.css';
import { type WorkflowOfPage } from './workflow-context.js';
import { DeleteWorkflowDocument, WorkflowDependentsDocument } from './workflow.generated.js';

/** Confirms the deletion of a workflow by its name, and lists everything else that is deleted. */
export function DeleteWorkflowDialog({ workflow, opened, onClose }: DeleteWorkflowDialogProps) {
  const navigate = useNavigate();
  const { run, running } = useAction(DeleteWorkflowDocument);
  const remove = async () => {
    if ((await run({ id: workflow.id })) === undefined) return;
    notifyDone(`“${workflow.name}” is deleted.`);
    await navigate('/workflows', { state: GONE });
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
  if (data === undefined) return <p className={classes.words}>This cannot be undone.</p>;
  const going = [
    counted(triggers.meta.total, 'trigger', 'with its URL or schedule', 'with their URLs and schedules'),
    counted(data.queued.meta.total, 'queued run', 'which never starts', 'which never start'),
    counted(
      data.webhooks.items.filter(({ workflowId }) => workflowId === id).length,
      'webhook',
      'registered only for it',
      'registered only for it',
    ),
  ].filter((line) => line !== undefined);
  return (
    <div className={classes.words}>
      This cannot be undone. {going.length > 0 && 'This also deletes:'}
      {going.length > 0 && (
        <ul>
          {going.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p>A run in progress stops after its current step.</p>
    </div>
  );
}

function counted(count: number, what: string, one: string, several: string): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? `1 ${what}, ${one}` : `${count.toLocaleString('en')} ${what}s, ${several}`;
}

interface DeleteWorkflowDialogProps {
  workflow: WorkflowOfPage;
  opened: boolean;
  onClose: () => void;
}
