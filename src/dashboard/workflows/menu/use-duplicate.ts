import { useNavigate } from 'react-router';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { DuplicateWorkflowDocument } from '../workflows.generated.js';

/** Duplicates a workflow as it is stored, and opens the copy, unless the user has left the page in between. */
export function useDuplicate(): { duplicate: (id: string) => Promise<void>; running: boolean } {
  const navigate = useNavigate();
  const { run, running } = useAction(DuplicateWorkflowDocument);
  const duplicate = async (id: string) => {
    const { pathname } = location;
    const made = await run({ id });
    if (made === undefined) return;
    const copy = made.duplicateWorkflow;
    notifyDone(`Created “${copy.name}” as a draft.`);
    if (location.pathname === pathname) await navigate(`/workflows/${copy.id}`);
  };
  return { duplicate, running };
}
