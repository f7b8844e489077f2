import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFocusBack } from '../../ui/use-focus-back.js';
import { DeleteTriggerDialog } from '../delete-trigger.dialog.js';
import { RenameTriggerDialog } from '../rename-trigger.dialog.js';
import { FireDialog } from '../fire.dialog.js';
import { type TriggerDetail } from '../trigger-detail.js';
import { UpdateTriggerDocument } from '../triggers.generated.js';
import { IconPlayerPause, IconPlayerPlay, IconPencil, IconTrash } from '../../ui/icons/icons.js';

/** The actions of a trigger: fire by hand, pause and resume, delete. */
export function TriggerActions({ trigger }: { trigger: TriggerDetail }) {
  const { id, type, status, workflow } = trigger;
  const { run, running } = useAction(UpdateTriggerDocument);
  const pause = useFocusBack(running);
  const [firing, fire] = useDisclosure();
  const [renaming, rename] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const isPaused = status === 'PAUSED';
  const move = async () => {
    const done = await run({ id, input: { status: isPaused ? 'ACTIVE' : 'PAUSED' } });
    if (done !== undefined) notifyDone(isPaused ? 'The trigger fires again.' : 'The trigger is paused.');
  };
  return (
    <>
      {type === 'MANUAL' && status === 'ACTIVE' && workflow.status === 'ACTIVE' && (
        <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={fire.open}>
          Fire now
        </Button>
      )}
      <Button
        ref={pause}
        variant="default"
        leftSection={isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        loading={running}
        onClick={() => void move()}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={rename.open}>
        Rename
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove.open}>
        Delete
      </Button>
      <FireDialog workflow={workflow} opened={firing} onClose={fire.close} />
      <RenameTriggerDialog trigger={trigger} opened={renaming} onClose={rename.close} />
      <DeleteTriggerDialog trigger={trigger} opened={deleting} onClose={remove.close} />
    </>
  );
}
