import { type Status } from '../../../ui/values/status-badge.js';
import { type DraftAction } from '../draft-action.js';
import { type Edit } from '../draft.js';
import { type Suggestion } from '../values/suggestions.js';

/** `actions` are all of the workflow, of which this is one; `mark` is its outcome in the last test run. */
export interface ActionCardProps {
  action: DraftAction;
  actions: readonly DraftAction[];
  index: number;
  open: boolean;
  mark: Status | undefined;
  onToggle: () => void;
  suggestions: readonly Suggestion[];
  change: (edit: Edit) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}
