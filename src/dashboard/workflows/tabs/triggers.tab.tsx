import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CreateTriggerDialog } from '../../triggers/create-trigger.dialog.js';
import { TriggerList } from '../../triggers/list/trigger-list.js';
import classes from './triggers.module.css';
import { useWorkflow } from '../workflow-context.js';
import { IconPlus } from '../../ui/icons/icons.js';

/** `/workflows/:id/triggers`: the triggers of the workflow, with a dialog for a new one. */
export function TriggersTab() {
  const { workflow } = useWorkflow();
  const [creating, dialog] = useDisclosure();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      New trigger
    </Button>
  );
  return (
    <>
      <div className={classes.head}>
        <h2>Triggers</h2>
        {workflow.triggers.meta.total > 0 && create}
      </div>
      <TriggerList workflowId={workflow.id} create={create} />
      <CreateTriggerDialog opened={creating} onClose={dialog.close} workflowId={workflow.id} />
    </>
  );
}
