import { type RefObject, useEffect, useRef } from 'react';

/** A button that waits is disabled, which takes the focus from it: gives it back to `ref` unless it has gone on since. */
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
