import { Button, Group, Modal, Stack } from '@mantine/core';
import { type Edit } from '../draft.js';
import { type Save } from './use-save.js';

/** Lets the user choose when other actions were saved in between, perhaps by the user in another tab. */
export function ConflictDialog({ saving, change }: { saving: Save; change: (edit: Edit) => void }) {
  const { conflict, forgetConflict, save } = saving;
  return (
    <Modal opened={conflict !== undefined} onClose={forgetConflict} title="These actions were changed elsewhere">
      <Stack gap="md">
        <div>
          Another tab or another user has changed the actions of this workflow since you began
          {conflict === undefined
            ? ''
            : ` (${conflict.actions.length === 1 ? '1 action' : `${conflict.actions.length} actions`})`}
          . Saving yours replaces those. Nothing is lost until you choose.
        </div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={forgetConflict}>
            Keep editing
          </Button>
          <Button
            variant="default"
            onClick={() => {
              if (conflict !== undefined) change({ type: 'load', list: conflict });
              forgetConflict();
            }}
          >
            Discard mine, show theirs
          </Button>
          <Button color="red" onClick={() => void save({ over: conflict })}>
            Replace theirs
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
