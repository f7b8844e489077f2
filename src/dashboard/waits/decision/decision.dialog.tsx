import { useState } from 'react';
import { Dialog } from '../../ui/dialogs/dialog.js';
import { type Asked } from './asked.js';
import { DecisionForm } from './decision-form.js';

/** Asks for a comment and decides; says so if somebody else was faster. */
export function DecisionDialog({ asked, opened, onClose }: DecisionDialogProps) {
  const [decided, setDecided] = useState(false);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={asked.decision === 'APPROVED' ? 'Approve?' : 'Deny?'}
      // The button that opened it disappears with the wait.
      returnFocus={!decided}
      onEnterTransitionEnd={() => setDecided(false)}
      onExitTransitionEnd={() => decided && document.querySelector<HTMLElement>('h1[tabindex]')?.focus()}
    >
      <DecisionForm asked={asked} onDecided={() => setDecided(true)} onClose={onClose} />
    </Dialog>
  );
}

/** `asked` stays set during the closing animation. */
export interface DecisionDialogProps {
  asked: Asked;
  opened: boolean;
  onClose: () => void;
}
