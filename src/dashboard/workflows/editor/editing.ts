import { createContext, useContext } from 'react';
import { sentence } from '../../ui/sentence.js';
import { type DraftAction, type Row } from './draft-action.js';
import { type Suggestion } from './suggestions.js';

/** The action whose form one is in, and what its fields can do. */
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
  if (editing === undefined) throw new Error('This field belongs into the form of an action.');
  return editing;
}

/** What is wrong with a field of an action, as a sentence: with the field itself, or with something within its value. */
export function faultAt({ faults }: DraftAction, field: string, { inside = false } = {}): string | undefined {
  const own = faults[field];
  if (own !== undefined) return sentence(own);
  if (!inside) return undefined;
  const [at, message] = Object.entries(faults).find(([candidate]) => candidate.startsWith(`${field}.`)) ?? [];
  return at === undefined ? undefined : `${at.slice(field.length + 1)} ${message!.replace(/\.$/, '')}.`;
}
