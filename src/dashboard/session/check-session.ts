import { callAuth, sessionSettled } from './auth-api.js';
import { hasUnsaved } from '../ui/unsaved.js';
import { noteSessionOver } from './session-over.js';
import { goToSignIn } from './where-to.js';

let asking: Promise<boolean> | undefined;
let shownTo: string | undefined;

/** Sets the user of the loaded pages, by id. */
export function showsTo(userId: string | undefined): void {
  shownTo = userId;
}

/**
 * Leaves for the sign-in page when nobody is signed in any more, and loads all anew when it is somebody else by now
 * (another tab has the same cookie); to be called when something was refused, and when one comes back. The session may
 * be another one of the same person: a change of the password ends the one that it came by, and its answer brings a new
 * one. Beside unsaved work it stays, and `SessionOverDialog` tells the way on.
 * @returns true when it leaves.
 */
export function checkSession(): Promise<boolean> {
  asking ??= leaves().then((left) => {
    // The user may decide to stay because of unsaved changes.
    if (!left || hasUnsaved()) asking = undefined;
    return left;
  });
  return asking;
}

async function leaves(): Promise<boolean> {
  await sessionSettled();
  const session = await callAuth<{ user: { id: string } } | null>('/get-session');
  if (!session.ok) return false;
  if (session.data === null) {
    if (hasUnsaved()) noteSessionOver(true);
    else goToSignIn();
    return !hasUnsaved();
  }
  noteSessionOver(false);
  if (shownTo === undefined || session.data.user.id === shownTo) return false;
  location.reload();
  return true;
}
