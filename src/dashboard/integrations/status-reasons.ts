import { inWords } from '../ui/in-words.js';
import { type ActorInWords, actorInWords } from '../ui/values/actor-in-words.js';

/** The texts for a reason: a `status_reason`, the reason of a change, or of a failed test. */
export interface ReasonInWords {
  /** Two or three words, for lists. */
  label: string;
  /** Event and what to do about it; `app` is the application's name, `by` the author at the start of a sentence. */
  sentence: (app: string, by?: string) => string;
}

const REASONS: Readonly<Record<string, ReasonInWords>> = {
  awaiting_authorization: {
    label: 'Waiting for access',
    sentence: (app) => `Waiting for a user to allow access at ${app}. The request expires after ten minutes.`,
  },
  access_denied: {
    label: 'Access denied',
    sentence: (app) => `Access was denied at ${app}. Try again, and allow access there.`,
  },
  authorization_timed_out: {
    label: 'No answer',
    sentence: (app) => `Ten minutes passed without an answer from ${app}. Start again when you are ready.`,
  },
  exchange_failed: {
    label: 'Exchange failed',
    sentence: (app) =>
      `Access was allowed, but ${app} did not issue the credentials. Try again; if it keeps failing, the operator should check the client id and secret.`,
  },
  verification_failed: {
    label: 'First call failed',
    sentence: (app) =>
      `Access was allowed, but ${app} refused the first call. Try again; if it fails again, check the permissions of your user there.`,
  },
  account_mismatch: {
    label: 'Another account',
    sentence: (app) =>
      `You signed in with another account of ${app} than this connection belongs to, so nothing was changed. Sign in there with the same account, or create a separate connection for the other one.`,
  },
  superseded: {
    label: 'Started again',
    sentence: () => 'It was started again in another window or by another user. Only the newest attempt counts.',
  },
  token_expired: {
    label: 'Access ended',
    sentence: (app) => `The access to ${app} has expired and could not be renewed. Reconnect to continue.`,
  },
  refresh_refused: {
    label: 'Access refused',
    sentence: (app) =>
      `${app} no longer accepts or renews the access. It may have been revoked there, or a password was changed. Reconnect to continue.`,
  },
  key_refused: {
    label: 'Key refused',
    sentence: (app) => `${app} no longer accepts the API key. Reconnect with a new one.`,
  },
  disconnected_by_user: {
    label: 'Disconnected by a user',
    sentence: (app, by = 'A user') =>
      `${by} disconnected it, and its credentials were deleted. Reconnect to use ${app} again.`,
  },
  connected: { label: 'Connected', sentence: (app) => `${app} was connected.` },
  reconnected: { label: 'Reconnected', sentence: (app) => `${app} was connected again.` },
  deleted: { label: 'Deleted', sentence: () => 'The connection was deleted permanently.' },
  // Further results of a test.
  provider_unavailable: {
    label: 'No answer',
    sentence: (app) => `${app} could not be reached. The connection may still be fine: try again shortly.`,
  },
  unverifiable: {
    label: 'Cannot be tested',
    sentence: (app) => `${app} has no way to test the credentials. A run that uses them will show whether they work.`,
  },
  credentials_unreadable: {
    label: 'Credentials unreadable',
    sentence: (app) =>
      `The service cannot decrypt the credentials for ${app}: the operator should check the encryption keys, or reconnect.`,
  },
  rate_limited: {
    label: 'Too busy',
    sentence: (app) => `${app} asked to wait, or the account has too many requests in progress. Try again later.`,
  },
  unavailable: {
    label: 'Too busy',
    sentence: () => 'The service is too busy. Try again in a moment.',
  },
  conflict: {
    label: 'Not possible now',
    sentence: (app) => `The credentials for ${app} are being renewed. Try again in a moment.`,
  },
  pending: { label: 'Pending', sentence: (app) => `Access to ${app} is not allowed yet.` },
  expired: { label: 'Expired', sentence: (app) => `The access to ${app} has expired. Reconnect first.` },
  disconnected: { label: 'Disconnected', sentence: (app) => `${app} is not connected. Reconnect first.` },
};

/** The label of a reason with the author of the change, if there is one: `Disconnected by Ada`. */
export function eventInWords(reason: string, actor: ActorInWords | null): string {
  const { label } = reasonInWords(reason);
  return actor === null ? label : `${label.replace(/ by a user$/, '')} by ${actorInWords(actor)}`;
}

/** The texts for a reason; an unknown reason is shown unchanged. */
export function reasonInWords(reason: string): ReasonInWords {
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  return known ?? { label: inWords(reason), sentence: () => `The service gives this reason: ${reason}.` };
}
