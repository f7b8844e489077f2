import { type RefObject, useLayoutEffect } from 'react';

let wasFocused = false;

/** Where one heading takes the place of another (a page of its skeleton), the focus that the first had goes on to it. */
export function useKeptFocus(heading: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = heading.current;
    if (wasFocused) element?.focus({ preventScroll: true });
    wasFocused = false;
    return () => {
      if (element === null || document.activeElement !== element) return;
      wasFocused = true;
      // Only for what comes in the same moment.
      queueMicrotask(() => (wasFocused = false));
    };
  }, [heading]);
}
