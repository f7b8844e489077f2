/** Who is signed in to the dashboard in this browser: `{ name, email }`, or undefined for nobody. */
export async function signedInUser() {
  try {
    const answer = await fetch('/auth/get-session', { credentials: 'same-origin' });
    const session = answer.ok ? await answer.json() : null;
    return session?.user;
  } catch {
    // The page works with a key, too.
    return undefined;
  }
}

/** The address of the sign-in page, which comes back to here. */
export const SIGN_IN = `/sign-in?to=${encodeURIComponent(location.pathname)}`;

/** Light or dark as chosen in the dashboard; undefined: as the system. */
export function chosenScheme() {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined;
}
