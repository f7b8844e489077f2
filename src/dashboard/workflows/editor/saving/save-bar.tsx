import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCircleDot } from '@tabler/icons-react';
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.js';
import classes from './save-bar.module.css';
import { type DraftState } from '../use-draft.js';
import { type Save } from './use-save.js';

/** Shows unsaved changes with buttons to save or discard them; it stays visible. */
export function SaveBar({ state, saving, onTest }: { state: DraftState; saving: Save; onTest?: () => void }) {
  const { dirty, changedElsewhere, discard } = state;
  const [asking, confirm] = useDisclosure();
  const words = dirty ? 'Unsaved changes' : 'All changes are saved';
  return (
    <div className={classes.bar} data-dirty={dirty || undefined}>
      <p role="status" className={classes.words}>
        {dirty && <IconCircleDot size={15} aria-hidden />}
        {changedElsewhere && !saving.saving ? 'Unsaved changes. The actions were also changed elsewhere.' : words}
      </p>
      <div className={classes.buttons}>
        {onTest !== undefined && (
          <Button variant="subtle" color="gray" onClick={onTest} className={classes.test}>
            Test run
          </Button>
        )}
        <Button variant="default" disabled={!dirty} onClick={confirm.open}>
          Discard
        </Button>
        <Button disabled={!dirty} loading={saving.saving} onClick={() => void saving.save()}>
          Save actions
        </Button>
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={confirm.close}
        title="Discard your changes?"
        confirmLabel="Discard changes"
        onConfirm={() => {
          discard();
          confirm.close();
        }}
      >
        The actions return to their last saved state.
      </ConfirmDialog>
    </div>
  );
}
