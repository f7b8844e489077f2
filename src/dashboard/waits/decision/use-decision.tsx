import { type ReactNode } from 'react';
import { type ApprovalDecision } from '../../graphql/enums.generated.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { useDialogOf } from '../../ui/forms/use-dialog-of.js';
import { type WaitInDetailFragment } from '../waits.generated.js';
import { type Asked } from './asked.js';

const DecisionDialog = lazyDialog(async () => (await import('./decision.dialog.js')).DecisionDialog);

/** Decides approvals. `dialog` belongs to the page, so that it stays when another user decides and the wait disappears. */
export function useDecision(): {
  decide: (wait: WaitInDetailFragment, decision: ApprovalDecision) => void;
  dialog: ReactNode;
} {
  const { about, opened, open, close } = useDialogOf<Asked>();
  return {
    decide: (wait, decision) => open({ wait, decision }),
    dialog: about !== undefined && <DecisionDialog asked={about} opened={opened} onClose={close} />,
  };
}
