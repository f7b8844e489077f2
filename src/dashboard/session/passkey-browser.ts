/** The code that speaks with passkeys; no part of the first load. */
export const loadWebauthn = () => import('@simplewebauthn/browser');

/** Whether this browser has passkeys: over http it has them on localhost only. */
export function knowsPasskeys(): boolean {
  return 'PublicKeyCredential' in window;
}

/** Whether this browser offers passkeys at input fields, beside passwords. */
export async function offersAtFields(): Promise<boolean> {
  return knowsPasskeys() && (await loadWebauthn()).browserSupportsWebAuthnAutofill();
}

/** The reason why a browser used no passkey, as a sentence; undefined if the person canceled. */
export function passkeyFault(error: unknown): string | undefined {
  const { name } = error as { name?: string };
  // Browsers have one name for a canceled request, one that timed out, and a missing passkey.
  if (name === 'NotAllowedError' || name === 'AbortError') return undefined;
  return name === 'InvalidStateError'
    ? 'This device already has a passkey for your user.'
    : 'Your browser could not use a passkey here.';
}
