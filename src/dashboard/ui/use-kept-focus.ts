import { type RefObject, useLayoutEffect } from 'react';

let wasFocused = false;

/** When one heading replaces another (e.g. that of a skeleton), the new one gets the focus that the first one had. */
export function useKeptFocus(heading: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = heading.current;
    if (wasFocused) element?.focus({ preventScroll: true });
    wasFocused = false;
    return () => {
      if (element === null || document.activeElement !== element) return;
      wasFocused = true;
      // Only for a heading that appears at the same moment.
      queueMicrotask(() => (wasFocused = false));
    };
  }, [heading]);
}
