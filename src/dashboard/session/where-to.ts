import { hasUnsaved } from '../ui/forms/unsaved.js';

let leaving = false;
// The browser restored the page from its back/forward cache: it is no longer leaving.
addEventListener('pageshow', () => void (leaving = false));

/**
 * Goes to the sign-in page, which returns to `to`, the current page by default. It is a full page load, so that no data
 * of the session stays in memory. Only the first call counts: after a sign-out, the closed socket must not cause a
 * redirect back here.
 */
export function goToSignIn(to = location.pathname + location.search): void {
  if (leaving) return;
  // The user may decide to stay because of unsaved changes.
  leaving = !hasUnsaved();
  location.assign(to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`);
}

/** The target after signing in: the URL in `?to=`, if it belongs to this origin. */
export function wayBack(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? '/';
  // Not `//host` nor `/\host`, which browsers read as another host.
  return URL.canParse(to, location.origin) &&
    new URL(to, location.origin).origin === location.origin &&
    to.startsWith('/')
    ? to
    : '/';
}
