import { useOutletContext } from 'react-router';
import { type DraftState } from './editor/use-draft.js';
import { type Save } from './editor/use-save.js';
import { type WorkflowQuery } from './workflow.generated.js';

/** A workflow as its page knows it. */
export type WorkflowOfPage = WorkflowQuery['workflow'] & {
  /** It has a manual trigger that is active. */
  firesByHand: boolean;
};

/** What the page gives to its tabs. */
export interface WorkflowContext {
  workflow: WorkflowOfPage;
  /** The edited actions: they outlast the tab that they are edited in. */
  state: DraftState;
  saving: Save;
  /** Told by the settings, whose fields do not outlast their tab. */
  setDetailsDirty: (dirty: boolean) => void;
  testing: boolean;
  setTesting: (testing: boolean) => void;
  /** Fetches the workflow again, e.g. after a trigger was created. */
  reload: () => void;
}

/** The workflow of the page around a tab. */
export function useWorkflow(): WorkflowContext {
  return useOutletContext<WorkflowContext>();
}
