import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.js';
import { errorsInWords, faultCount } from '../draft-action.js';
import classes from './save-bar.module.css';
import { type DraftState } from '../use-draft.js';
import { type Save } from './use-save.js';
import { IconAlertCircle, IconCircleDot } from '../../../ui/icons/icons.js';

/** Shows unsaved changes with buttons to save or discard them, and the way to the first error; it stays visible. */
export function SaveBar({ state, saving, onTest, onErrors }: SaveBarProps) {
  const { draft, dirty, changedElsewhere, discard } = state;
  const errors = faultCount(draft.actions);
  const [asking, confirm] = useDisclosure();
  const words = !dirty
    ? 'All changes are saved'
    : draft.inTab
      ? 'Not saved yet: only this browser tab keeps the actions'
      : 'Unsaved changes';
  return (
    <div className={classes.bar} data-dirty={dirty || undefined}>
      <div className={classes.state}>
        <p role="status" className={classes.words}>
          {dirty && <IconCircleDot size={15} aria-hidden />}
          {changedElsewhere && !saving.saving ? 'Unsaved changes. The actions were also changed elsewhere.' : words}
        </p>
        {errors > 0 && (
          <Button
            variant="light"
            color="red"
            size="compact-sm"
            leftSection={<IconAlertCircle size={15} aria-hidden />}
            aria-label={`${errorsInWords(errors)}: go to the first`}
            onClick={onErrors}
          >
            {errorsInWords(errors)}
          </Button>
        )}
      </div>
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

interface SaveBarProps {
  state: DraftState;
  saving: Save;
  onTest?: (() => void) | undefined;
  /** Leads to the first error. */
  onErrors: () => void;
}
