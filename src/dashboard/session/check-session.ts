import { callAuth, sessionSettled } from './auth-api.js';
import { goToSignIn } from './where-to.js';

let asking: Promise<boolean> | undefined;
let shownTo: string | undefined;

/** Says whose pages are on screen, by the user's id. */
export function showsTo(userId: string | undefined): void {
  shownTo = userId;
}

/**
 * Leaves for the sign-in page when nobody is signed in any more, and loads all anew when it is somebody else by now
 * (another tab has the same cookie); to be called when something was refused, and when one comes back. The session may be
 * another one of the same person: a change of the password ends the one that it came by, and its answer brings a new one.
 * @returns true when it leaves.
 */
export function checkSession(): Promise<boolean> {
  asking ??= leaves().then((left) => {
    if (!left) asking = undefined;
    return left;
  });
  return asking;
}

async function leaves(): Promise<boolean> {
  await sessionSettled();
  const session = await callAuth<{ user: { id: string } } | null>('/get-session');
  if (!session.ok) return false;
  if (session.data === null) {
    goToSignIn();
    return true;
  }
  if (shownTo === undefined || session.data.user.id === shownTo) return false;
  location.reload();
  return true;
}
