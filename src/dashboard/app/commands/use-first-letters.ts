import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Keeps what the user types before the field of the palette has the focus: its code may still load.
 * @returns a function for the field: it returns the text so far, and all further keys reach the field.
 */
export function useFirstLetters(opened: boolean, onClose: () => void): () => string {
  const letters = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (!opened) return;
    letters.current = '';
    const listen = (event: KeyboardEvent): void => {
      if (letters.current === undefined || !isOfText(event)) return;
      if (event.key === 'Escape') onClose();
      else letters.current = typed(letters.current, event.key);
      // The element with the focus belongs to the page behind.
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', listen, { capture: true });
    return () => {
      letters.current = undefined;
      window.removeEventListener('keydown', listen, { capture: true });
    };
  }, [opened, onClose]);
  return useCallback(() => {
    const text = letters.current ?? '';
    letters.current = undefined;
    return text;
  }, []);
}

const KEYS = new Set(['Backspace', 'Enter', 'Escape']);

/** Not a command of the browser: AltGr, which writes letters, also counts as Ctrl and Alt. */
function isOfText(event: KeyboardEvent): boolean {
  const isCommand = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
  return !isCommand && !event.isComposing && (KEYS.has(event.key) || event.key.length === 1);
}

function typed(text: string, key: string): string {
  if (key === 'Backspace') return text.slice(0, -1);
  return key === 'Enter' ? text : text + key;
}
