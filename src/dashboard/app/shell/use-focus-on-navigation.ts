import { type RefObject, useEffect, useRef } from 'react';
import { type Location, useLocation } from 'react-router';

/**
 * Moves the focus to the heading after a navigation, so that screen readers start there. Links within a page
 * (tabs) keep it with `state={{ keepFocus: true }}`.
 */
export function useFocusOnNavigation(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const { pathname, state } = useLocation() as Location<unknown>;
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if ((state as { keepFocus?: boolean } | null)?.keepFocus === true) return;
    const heading = main.current?.querySelector<HTMLElement>('h1[tabindex]');
    (heading ?? main.current)?.focus({ preventScroll: true });
  }, [pathname, state]);
  return main;
}
