import { registerEnumType } from 'type-graphql';
import { type Transition } from '../../../platform/transitions.js';

export const IntegrationStatus = {
  PENDING: 'pending',
  CONNECTED: 'connected',
  EXPIRED: 'expired',
  DISCONNECTED: 'disconnected',
} as const;
export type IntegrationStatus = (typeof IntegrationStatus)[keyof typeof IntegrationStatus];

/** Why an integration has its status. The same code in every API. */
export const STATUS_REASONS = {
  awaiting_authorization: 'The user is asked for access in the browser.',
  access_denied: 'The user, or the application, refused the access.',
  authorization_timed_out: 'No callback came within the time of the flow.',
  exchange_failed: 'The code of the callback could not be exchanged for tokens.',
  verification_failed: 'The application was asked whose account it is, and did not say.',
  account_mismatch: 'A reconnect came back with another account than before; nothing was changed.',
  superseded: 'Another flow of the same integration replaced this one.',
  token_expired: 'The access has expired and could not be renewed.',
  refresh_refused: 'The application no longer accepts the grant.',
  key_refused: 'The application no longer accepts the API key.',
  disconnected_by_user: 'A client or a person disconnected it.',
  connected: 'It was connected for the first time. The reason of this change; the integration itself has none then.',
  reconnected: 'It was connected again. The reason of this change; the integration itself has none then.',
  deleted: 'It was deleted. This is the last change that listeners receive.',
} as const;

export type StatusReason = keyof typeof STATUS_REASONS;

/** The reasons that `status_reason` of an integration can have. */
export const SHOWN_REASONS = Object.fromEntries(
  Object.entries(STATUS_REASONS).filter(([reason]) => !['connected', 'reconnected', 'deleted'].includes(reason)),
);

/** Reasons that add nothing to the status `connected`: shown in the history, not in `status_reason`. */
export const GOOD_REASONS: ReadonlySet<StatusReason> = new Set(['connected', 'reconnected']);

/**
 * A flow can be open in any status: a connected integration stays so during its reconnect, and may expire or have its key
 * refused in between. So whatever ends a flow is allowed from each of them.
 */
const WITH_FLOW = Object.values(IntegrationStatus);

/** A failed flow returns a pending integration to its earlier status, and leaves any other status unchanged. */
const FAILED_FLOW: Transition<IntegrationStatus> = { from: WITH_FLOW, to: ['disconnected', 'expired', 'connected'] };

/** The allowed transitions, by reason. */
const TRANSITIONS: Readonly<Record<StatusReason, Transition<IntegrationStatus>>> = {
  awaiting_authorization: { from: [null, 'pending', 'expired', 'disconnected'], to: ['pending'] },
  access_denied: FAILED_FLOW,
  authorization_timed_out: FAILED_FLOW,
  exchange_failed: FAILED_FLOW,
  verification_failed: FAILED_FLOW,
  account_mismatch: FAILED_FLOW,
  // A connect session that switches to another type ends in `disconnected`; any other status stays.
  superseded: { from: WITH_FLOW, to: WITH_FLOW },
  token_expired: { from: ['connected'], to: ['expired'] },
  refresh_refused: { from: ['connected'], to: ['expired'] },
  key_refused: { from: ['connected'], to: ['disconnected'] },
  disconnected_by_user: { from: WITH_FLOW, to: ['disconnected'] },
  // `disconnected` after a first flow that failed: a key needs no other flow.
  connected: { from: [null, 'pending', 'disconnected'], to: ['connected'] },
  reconnected: { from: WITH_FLOW, to: ['connected'] },
  deleted: { from: WITH_FLOW, to: ['disconnected'] },
};

/** @throws Error, a bug of the caller, for a transition that `TRANSITIONS` does not allow. */
export function checkTransition(from: IntegrationStatus | null, to: IntegrationStatus, reason: StatusReason): void {
  const allowed = TRANSITIONS[reason];
  if (!allowed.from.includes(from) || !allowed.to.includes(to))
    throw new Error(`No transition ${from} → ${to} by ${reason}.`);
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
