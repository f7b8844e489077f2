import { useEffect, useMemo, useReducer, useState } from 'react';
import { begunOf, forgetPending, keepPending } from './begun.js';
import { type SavedList } from './draft-action.js';
import { type Draft, draftOf, edit, type Edit, isDirty, pendingDraft, pendingOf, plain } from './draft.js';

/** The draft of a workflow's actions, which outlives changes between the workflow's tabs. */
export interface DraftState {
  draft: Draft;
  dirty: boolean;
  /** Whether the actions of the service have changed since the draft began. */
  changedElsewhere: boolean;
  change: (edit: Edit) => void;
  /** Discards the edits. */
  discard: () => void;
}

/**
 * Starts with the service's actions, or with those of a template that miss a connection, which the tab keeps; updates from the service replace the draft only
 * while it is unedited.
 */
export function useDraft(list: SavedList & { id: string }): DraftState {
  const [draft, change] = useReducer(edit, list, begin);
  const present = useMemo(() => JSON.stringify(plain(list.actions)), [list.actions]);
  const [seen, setSeen] = useState(present);
  const dirty = useMemo(() => isDirty(draft), [draft]);
  if (seen !== present) {
    setSeen(present);
    if (!dirty && present !== draft.base) change({ type: 'load', list });
  }
  useEffect(() => {
    if (draft.inTab) keepPending(list.id, pendingOf(draft));
    // Another list was loaded instead, e.g. that of another user.
    else forgetPending(list.id);
  }, [list.id, draft]);
  const discard = (): void => {
    forgetPending(list.id);
    change({ type: 'load', list });
  };
  return { draft, dirty, changedElsewhere: dirty && present !== draft.base, change, discard };
}

function begin(list: SavedList & { id: string }): Draft {
  const pending = begunOf(list.id)?.pending;
  return pending === undefined || list.actions.length > 0 ? draftOf(list) : pendingDraft(list, pending);
}
