import { Modal } from '@mantine/core';
import { useState } from 'react';
import { HELD_OPEN } from '../../ui/held-open.js';
import { KeyOnce } from './key-once.js';
import { NewApiKeyForm, type NewKey } from './new-api-key-form.js';

/** Asks for label, scope and end of a new key, then shows it, once. */
export function NewApiKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<NewKey>();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(undefined)}
      title={made === undefined ? 'New API Key' : `“${made.apiKey.label}” is ready`}
      {...(made !== undefined && HELD_OPEN)}
    >
      {made === undefined ? (
        <NewApiKeyForm onClose={onClose} onMade={setMade} />
      ) : (
        <KeyOnce secret={made.secret} onDone={onClose} />
      )}
    </Modal>
  );
}
