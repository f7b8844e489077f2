import { callAuth, sessionSettled } from './auth-api.js';
import { goToSignIn } from './where-to.js';

let asking: Promise<void> | undefined;

/**
 * Leaves for the sign-in page when nobody is signed in any more; to be called when something was refused. There may be
 * another session by then: a change of the password ends the one that it came by, and its answer brings a new one.
 */
export function noteSessionOver(): void {
  asking ??= isOver().then((over) => {
    if (over) goToSignIn();
    else asking = undefined;
  });
}

async function isOver(): Promise<boolean> {
  await sessionSettled();
  const session = await callAuth<object | null>('/get-session');
  return session.ok && session.data === null;
}
