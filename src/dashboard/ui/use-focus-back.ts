import { type RefObject, useEffect, useRef } from 'react';

/** A busy button is disabled and loses the focus: returns the focus to `ref` unless the user has moved it since. */
export function useFocusBack(waits: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const waited = useRef(false);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (waited.current && !waits && isLost) button.current?.focus({ preventScroll: true });
    waited.current = waits;
  }, [waits]);
  return button;
}
