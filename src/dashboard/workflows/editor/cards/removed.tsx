import { Button } from '@mantine/core';
import { IconArrowBackUp } from '../../../ui/icons/icons.js';
import classes from '../actions-editor.module.css';

/** Names the last removed action, with an undo button; renders nothing once the removal is saved or discarded. */
export function Removed({ name, onUndo }: { name: string | undefined; onUndo: () => void }) {
  return (
    <div role="status">
      {name !== undefined && (
        <p className={classes.removed}>
          “{name}” was removed.
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconArrowBackUp size={15} aria-hidden />}
            onClick={onUndo}
          >
            Undo
          </Button>
        </p>
      )}
    </div>
  );
}
