import { type RefObject, useEffect, useRef, useState } from 'react';

/** The target of the focus after an edit, and the announcement for screen readers. */
export interface EditorFocus {
  /** A selector within the editor, looked for once the edit is on screen. */
  on: (selector: string) => void;
  say: (words: string) => void;
  said: string;
}

/** A refusal leads to the first field with a fault. */
export function useEditorFocus(root: RefObject<HTMLElement | null>, refusals: number): EditorFocus {
  const wanted = useRef<string>(undefined);
  const [said, say] = useState('');
  useEffect(() => {
    if (refusals > 0) wanted.current = '[aria-invalid=true]';
  }, [refusals]);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const target = root.current?.querySelector<HTMLElement>(wanted.current);
    wanted.current = undefined;
    target?.focus();
  });
  return { on: (selector) => (wanted.current = selector), say, said };
}
