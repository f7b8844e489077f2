import { useMemo, useReducer, useState } from 'react';
import { type SavedList } from './draft-action.js';
import { type Draft, draftOf, edit, type Edit, isDirty, plain } from './draft.js';

/** The draft of a workflow's actions, kept while one moves between the workflow's tabs. */
export interface DraftState {
  draft: Draft;
  dirty: boolean;
  /** The service has other actions than those that the draft began with. */
  changedElsewhere: boolean;
  change: (edit: Edit) => void;
  /** Back to what the service has. */
  discard: () => void;
}

/** Begins with what the service has; news are taken over as long as nothing is edited. */
export function useDraft(list: SavedList): DraftState {
  const [draft, change] = useReducer(edit, list, draftOf);
  const present = useMemo(() => JSON.stringify(plain(list.actions)), [list.actions]);
  const [seen, setSeen] = useState(present);
  const dirty = useMemo(() => isDirty(draft), [draft]);
  if (seen !== present) {
    setSeen(present);
    if (!dirty && present !== draft.base) change({ type: 'load', list });
  }
  const discard = (): void => change({ type: 'load', list });
  return { draft, dirty, changedElsewhere: dirty && present !== draft.base, change, discard };
}
