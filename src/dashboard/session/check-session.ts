import { callAuth, sessionSettled } from './auth-api.js';
import { hasUnsaved } from '../ui/forms/unsaved.js';
import { noteSessionOver } from './session-over.js';
import { goToSignIn } from './where-to.js';

let asking: Promise<boolean> | undefined;
let shownTo: string | undefined;

/** Sets the user of the loaded pages, by id. */
export function showsTo(userId: string | undefined): void {
  shownTo = userId;
}

/**
 * Redirects to the sign-in page if the session is over, and reloads the page if another person has signed in (another
 * tab has the same cookie). Called after a refused request, and when the user returns to the window. The same person may
 * have a new session: a password change ends the old one, and its response sets a new cookie. With unsaved work the page
 * stays, and `SessionOverDialog` explains how to continue.
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
