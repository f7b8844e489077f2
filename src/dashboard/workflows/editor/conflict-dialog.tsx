import { Button, Group, Modal, Stack } from '@mantine/core';
import { type Edit } from './draft.js';
import { type Save } from './use-save.js';

/** Asks what to do where somebody else has saved other actions in the meantime. */
export function ConflictDialog({ saving, change }: { saving: Save; change: (edit: Edit) => void }) {
  const { conflict, forgetConflict, save } = saving;
  return (
    <Modal opened={conflict !== undefined} onClose={forgetConflict} title="These actions were changed elsewhere">
      <Stack gap="md">
        <div>
          Since you began, somebody saved other actions for this workflow
          {conflict === undefined
            ? ''
            : ` (${conflict.actions.length === 1 ? '1 action' : `${conflict.actions.length} actions`})`}
          . Saving yours replaces theirs. Nothing is lost until you choose.
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
