import { lazyDialog } from '../ui/dialogs/lazy-dialog.js';

/** The dialog for a new workflow; the overview has it too, whose first load its code is no part of. */
export const CreateWorkflowDialog = lazyDialog(
  async () => (await import('./create-workflow.dialog.js')).CreateWorkflowDialog,
);
