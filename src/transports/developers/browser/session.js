/** The person signed in to the dashboard in this browser: `{ name, email }`, or undefined. */
export async function signedInUser() {
  try {
    const answer = await fetch('/auth/get-session', { credentials: 'same-origin' });
    const session = answer.ok ? await answer.json() : null;
    return session?.user;
  } catch {
    // The page also works with a key.
    return undefined;
  }
}

/** URL of the sign-in page, which returns here afterwards. */
export const SIGN_IN = `/sign-in?to=${encodeURIComponent(location.pathname)}`;

/** The color scheme chosen in the dashboard; undefined means the system setting. */
export function chosenScheme() {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined;
}
