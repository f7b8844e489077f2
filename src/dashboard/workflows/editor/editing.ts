import { createContext, useContext } from 'react';
import { sentence } from '../../ui/sentence.js';
import { type DraftAction, type Row } from './draft-action.js';
import { type Suggestion } from './values/suggestions.js';

/** The action of the surrounding form, and the operations for its fields. */
export interface Editing {
  action: DraftAction;
  setText: (field: string, text: string) => void;
  setRows: (field: string, rows: readonly Row[]) => void;
  suggestions: readonly Suggestion[];
}

/** Given by each card around its form. */
export const EditingContext = createContext<Editing | undefined>(undefined);

/** The action of the form around. @throws Error outside of one. */
export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('This field belongs in the form of an action.');
  return editing;
}

/** The fault of a field as a sentence: of the field itself, or of a part of its value. */
export function faultAt({ faults }: DraftAction, field: string, { inside = false } = {}): string | undefined {
  const own = faults[field];
  if (own !== undefined) return sentence(own);
  if (!inside) return undefined;
  const [at, message] = Object.entries(faults).find(([candidate]) => candidate.startsWith(`${field}.`)) ?? [];
  return at === undefined ? undefined : `${at.slice(field.length + 1)} ${message!.replace(/\.$/, '')}.`;
}
