/** Leaves for the sign-in page, which comes back to where one is now. A whole load: nothing of the session stays in memory. */
export function goToSignIn(): void {
  const here = location.pathname + location.search;
  location.assign(here === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(here)}`);
}

/** Where to go after signing in: the address that `?to=` keeps, when it is one of ours. */
export function wayBack(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? '/';
  // Not `//host` nor `/\host`, which browsers read as another host.
  return URL.canParse(to, location.origin) &&
    new URL(to, location.origin).origin === location.origin &&
    to.startsWith('/')
    ? to
    : '/';
}
