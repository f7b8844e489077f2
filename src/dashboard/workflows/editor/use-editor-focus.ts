import { type RefObject, useEffect, useRef, useState } from 'react';

/** The target of the focus after an edit, and the announcement for screen readers. */
export interface EditorFocus {
  /** A selector within the editor, looked for once the edit is on screen. */
  on: (selector: string) => void;
  /** The first field with a fault, once its card is open. */
  onFault: () => void;
  say: (words: string) => void;
  said: string;
}

type Find = (editor: HTMLElement) => HTMLElement | null;

/** A refusal leads to the first field with a fault. */
export function useEditorFocus(root: RefObject<HTMLElement | null>, refusals: number): EditorFocus {
  const wanted = useRef<Find>(undefined);
  const [said, say] = useState('');
  useEffect(() => {
    if (refusals > 0) wanted.current = firstFault;
  }, [refusals]);
  useEffect(() => {
    const find = wanted.current;
    wanted.current = undefined;
    if (root.current !== null) find?.(root.current)?.focus();
  });
  return {
    on: (selector) => (wanted.current = (editor) => editor.querySelector(selector)),
    onFault: () => (wanted.current = firstFault),
    say,
    said,
  };
}

/** A fault without a field of its own leads to the head of its card. */
function firstFault(editor: HTMLElement): HTMLElement | null {
  const card = editor.querySelector('[data-faulty]');
  return card?.querySelector<HTMLElement>('[aria-invalid=true]') ?? card?.querySelector('[aria-expanded]') ?? null;
}
