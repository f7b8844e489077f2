import { type DraftAction } from '../draft-action.js';
import { type Edit } from '../draft.js';
import { type Suggestion } from '../values/suggestions.js';

/** `actions` are all of the workflow, of which this is one. */
export interface ActionCardProps {
  action: DraftAction;
  actions: readonly DraftAction[];
  index: number;
  open: boolean;
  onToggle: () => void;
  suggestions: readonly Suggestion[];
  change: (edit: Edit) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}
