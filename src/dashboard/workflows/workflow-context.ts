import { useOutletContext } from 'react-router';
import { type DraftState } from './editor/use-draft.js';
import { type Save } from './editor/saving/use-save.js';
import { type WorkflowQuery } from './workflow.generated.js';

/** A workflow with the fields of its page. */
export type WorkflowOfPage = WorkflowQuery['workflow'] & {
  /** Whether it has an active manual trigger. */
  firesByHand: boolean;
};

/** The values that the page passes to its tabs. */
export interface WorkflowContext {
  workflow: WorkflowOfPage;
  /** The draft of the actions, which outlives the tab. */
  state: DraftState;
  saving: Save;
  /** Called by the settings tab, whose fields do not outlive it. */
  setDetailsDirty: (dirty: boolean) => void;
  /** How often the user has asked for the panel of a test run; 0: it is closed. */
  testing: number;
  setTesting: (testing: number) => void;
  /** Fetches the workflow again, e.g. after a trigger was created. */
  reload: () => void;
}

/** The workflow of the page around a tab. */
export function useWorkflow(): WorkflowContext {
  return useOutletContext<WorkflowContext>();
}
