import { useState } from 'react';
import { Dialog } from '../ui/dialogs/dialog.js';
import { CreateTriggerForm } from './create-trigger-form.js';
import { TriggerMade } from './trigger-made.js';
import { type CreateTriggerMutation } from './triggers.generated.js';

/** Creates a trigger: chooses workflow (unless given), type and settings; then explains how to use it. */
export function CreateTriggerDialog({ opened, onClose, workflowId }: CreateTriggerDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="New trigger" size={560}>
      <Steps onClose={onClose} workflowId={workflowId} />
    </Dialog>
  );
}

/** A new instance each time, so that it starts empty. */
function Steps({ onClose, workflowId }: Omit<CreateTriggerDialogProps, 'opened'>) {
  const [made, setMade] = useState<CreateTriggerMutation['createTrigger']>();
  if (made !== undefined) return <TriggerMade trigger={made} onDone={onClose} />;
  return <CreateTriggerForm workflowId={workflowId} onClose={onClose} onMade={setMade} />;
}

/** `workflowId` is the page's workflow; without it the user chooses one. */
export interface CreateTriggerDialogProps {
  opened: boolean;
  onClose: () => void;
  workflowId?: string;
}
