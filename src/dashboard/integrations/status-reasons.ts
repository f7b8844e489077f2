import { inWords } from '../ui/in-words.js';

/** What a word of `status_reason`, of a change or of a test says to people. */
export interface ReasonInWords {
  /** Two or three words, for lists. */
  label: string;
  /** What happened and what to do about it; `app` is the application's name. */
  sentence: (app: string) => string;
}

const REASONS: Readonly<Record<string, ReasonInWords>> = {
  awaiting_authorization: {
    label: 'Waiting for access',
    sentence: (app) => `Somebody has to allow access at ${app}. The request ends ten minutes after it was made.`,
  },
  access_denied: {
    label: 'Access denied',
    sentence: (app) => `Access was denied at ${app}, so nothing was stored. Try again, and allow access there.`,
  },
  authorization_timed_out: {
    label: 'Nobody answered',
    sentence: (app) => `Ten minutes passed without an answer from ${app}. Start again when you are ready.`,
  },
  exchange_failed: {
    label: 'Exchange failed',
    sentence: (app) =>
      `Access was allowed, but ${app} did not hand out the credentials. Try again; if it stays so, the operator should check the client id and secret.`,
  },
  verification_failed: {
    label: 'First call failed',
    sentence: (app) =>
      `Access was allowed, but ${app} refused the first call with it. Try again; if it stays so, check what your user may do there.`,
  },
  account_mismatch: {
    label: 'Another account',
    sentence: (app) =>
      `You answered with another account of ${app} than this connection belongs to, so nothing was changed. Sign in there with the same account, or make a connection of its own for the other one.`,
  },
  superseded: {
    label: 'Started again',
    sentence: () => 'It was started again, in another window or by somebody else: that attempt counts now.',
  },
  token_expired: {
    label: 'Access ended',
    sentence: (app) => `The access to ${app} has ended, and nothing could renew it. Reconnect to go on.`,
  },
  refresh_refused: {
    label: 'Access refused',
    sentence: (app) =>
      `${app} no longer takes the access, or no longer renews it: it may have been revoked there, or a password was changed. Reconnect to go on.`,
  },
  key_refused: {
    label: 'Key refused',
    sentence: (app) => `${app} no longer accepts the API key. Reconnect with a new one.`,
  },
  disconnected_by_user: {
    label: 'Disconnected by a person',
    sentence: (app) => `Somebody disconnected it, and its credentials are forgotten. Reconnect to use ${app} again.`,
  },
  connected: { label: 'Connected', sentence: (app) => `${app} was connected.` },
  reconnected: { label: 'Reconnected', sentence: (app) => `${app} was connected anew.` },
  deleted: { label: 'Deleted', sentence: () => 'The connection was deleted for good.' },
  // What a test can say beside these.
  provider_unavailable: {
    label: 'No answer',
    sentence: (app) => `${app} could not be asked just now. That says nothing about the connection: try again shortly.`,
  },
  unverifiable: {
    label: 'Cannot be tested',
    sentence: (app) =>
      `${app} offers nothing to ask, so a test cannot tell whether the credentials work. A run that uses them will.`,
  },
  credentials_unreadable: {
    label: 'Credentials unreadable',
    sentence: (app) =>
      `The service cannot decrypt the credentials for ${app}: the operator should check the encryption keys, or reconnect.`,
  },
  conflict: {
    label: 'Not possible now',
    sentence: (app) => `The credentials for ${app} are just being renewed. Try again in a moment.`,
  },
  pending: { label: 'Pending', sentence: (app) => `Access to ${app} is not allowed yet.` },
  expired: { label: 'Expired', sentence: (app) => `The access to ${app} has ended. Reconnect first.` },
  disconnected: { label: 'Disconnected', sentence: (app) => `${app} is not connected. Reconnect first.` },
};

/** The words for a reason, as `docs/contract` of the service lists them; one that is not known yet stands for itself. */
export function reasonInWords(reason: string): ReasonInWords {
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  return known ?? { label: inWords(reason), sentence: () => `The service gives this reason: ${reason}.` };
}
