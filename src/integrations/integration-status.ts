import { registerEnumType } from 'type-graphql';

export const IntegrationStatus = {
  PENDING: 'pending',
  CONNECTED: 'connected',
  EXPIRED: 'expired',
  DISCONNECTED: 'disconnected',
} as const;
export type IntegrationStatus = (typeof IntegrationStatus)[keyof typeof IntegrationStatus];

/** Why an integration is as it is, spelled alike on every door. */
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

/** Reasons that say nothing beyond the status `connected`: they stand in the history, not in `status_reason`. */
export const GOOD_REASONS: ReadonlySet<StatusReason> = new Set(['connected', 'reconnected']);

/** Which status may follow which, and why. A flow that fails may also leave the status as it is. */
const MOVES: Readonly<
  Record<StatusReason, { from: readonly (IntegrationStatus | null)[]; to: readonly IntegrationStatus[] }>
> = {
  awaiting_authorization: { from: [null, 'pending', 'expired', 'disconnected'], to: ['pending'] },
  access_denied: { from: ['pending', 'connected'], to: ['disconnected', 'expired', 'connected'] },
  authorization_timed_out: { from: ['pending', 'connected'], to: ['disconnected', 'expired', 'connected'] },
  exchange_failed: { from: ['pending', 'connected'], to: ['disconnected', 'expired', 'connected'] },
  verification_failed: { from: ['pending', 'connected'], to: ['disconnected', 'expired', 'connected'] },
  account_mismatch: { from: ['pending', 'connected'], to: ['disconnected', 'expired', 'connected'] },
  superseded: { from: ['pending', 'connected'], to: ['pending', 'connected'] },
  token_expired: { from: ['connected'], to: ['expired'] },
  refresh_refused: { from: ['connected'], to: ['expired'] },
  key_refused: { from: ['connected'], to: ['disconnected'] },
  disconnected_by_user: { from: ['pending', 'connected', 'expired'], to: ['disconnected'] },
  connected: { from: [null, 'pending'], to: ['connected'] },
  reconnected: { from: ['pending', 'connected', 'expired', 'disconnected'], to: ['connected'] },
  deleted: { from: ['pending', 'connected', 'expired', 'disconnected'], to: ['disconnected'] },
};

/** @throws Error (ours to mend) for a move that the table doesn't have. */
export function checkMove(from: IntegrationStatus | null, to: IntegrationStatus, reason: StatusReason): void {
  const move = MOVES[reason];
  if (!move.from.includes(from) || !move.to.includes(to)) throw new Error(`No move ${from} → ${to} by ${reason}.`);
}

registerEnumType(IntegrationStatus, {
  name: 'IntegrationStatus',
  description: 'Whether a connection works.',
  valuesConfig: {
    PENDING: { description: 'The user is asked for access in the browser.' },
    CONNECTED: { description: 'Calls work.' },
    EXPIRED: { description: 'The access ended and could not be renewed: reconnect.' },
    DISCONNECTED: { description: 'Not connected: by the user, a failed flow, or a key that the application refuses.' },
  },
});
