import { registerEnumType } from 'type-graphql';

export const IntegrationStatus = {
  PENDING: 'pending',
  CONNECTED: 'connected',
  EXPIRED: 'expired',
  DISCONNECTED: 'disconnected',
} as const;
export type IntegrationStatus = (typeof IntegrationStatus)[keyof typeof IntegrationStatus];

/** Why an integration has its status. The same code in every API. */
export type StatusReason =
  | 'awaiting_authorization'
  | 'access_denied'
  | 'authorization_timed_out'
  | 'exchange_failed'
  | 'verification_failed'
  | 'account_mismatch'
  | 'superseded'
  | 'token_expired'
  | 'refresh_refused'
  | 'key_refused'
  | 'disconnected_by_user'
  | 'connected'
  | 'reconnected'
  | 'deleted';

/** Reasons that add nothing to the status `connected`: shown in the history, not in `status_reason`. */
export const GOOD_REASONS: ReadonlySet<StatusReason> = new Set(['connected', 'reconnected']);

interface Move {
  from: readonly (IntegrationStatus | null)[];
  to: readonly IntegrationStatus[];
}

/** A failed flow returns a pending integration to its earlier status, and leaves any other status unchanged. */
const FAILED_FLOW: Move = {
  from: ['pending', 'connected', 'expired'],
  to: ['disconnected', 'expired', 'connected'],
};

/** The allowed transitions, by reason. */
const MOVES: Readonly<Record<StatusReason, Move>> = {
  awaiting_authorization: { from: [null, 'pending', 'expired', 'disconnected'], to: ['pending'] },
  access_denied: FAILED_FLOW,
  authorization_timed_out: FAILED_FLOW,
  exchange_failed: FAILED_FLOW,
  verification_failed: FAILED_FLOW,
  account_mismatch: FAILED_FLOW,
  // `disconnected` if a connect session switches to another type.
  superseded: { from: ['pending', 'connected', 'expired'], to: ['pending', 'connected', 'expired', 'disconnected'] },
  token_expired: { from: ['connected'], to: ['expired'] },
  refresh_refused: { from: ['connected'], to: ['expired'] },
  key_refused: { from: ['connected'], to: ['disconnected'] },
  disconnected_by_user: { from: ['pending', 'connected', 'expired'], to: ['disconnected'] },
  connected: { from: [null, 'pending'], to: ['connected'] },
  reconnected: { from: ['pending', 'connected', 'expired', 'disconnected'], to: ['connected'] },
  deleted: { from: ['pending', 'connected', 'expired', 'disconnected'], to: ['disconnected'] },
};

/** @throws Error, a bug of the caller, for a transition that `MOVES` does not allow. */
export function checkMove(from: IntegrationStatus | null, to: IntegrationStatus, reason: StatusReason): void {
  const move = MOVES[reason];
  if (!move.from.includes(from) || !move.to.includes(to)) throw new Error(`No move ${from} → ${to} by ${reason}.`);
}

registerEnumType(IntegrationStatus, {
  name: 'IntegrationStatus',
  description: 'Whether a connection works.',
  valuesConfig: {
    PENDING: { description: 'The user has not granted access in the browser yet.' },
    CONNECTED: { description: 'Calls work.' },
    EXPIRED: { description: 'The access expired and could not be renewed: reconnect.' },
    DISCONNECTED: { description: 'Not connected: by the user, a failed flow, or a key that the application refuses.' },
  },
});
