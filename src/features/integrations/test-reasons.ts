import { type ErrorCode } from '../../platform/errors.js';
import { type StatusReason } from './changes/integration-status.js';

/** Why a test of an integration did not succeed. Only the first two end the connection. */
export const TEST_REASONS = {
  key_refused: 'The application no longer takes the API key. This has ended the connection.',
  refresh_refused: 'The application no longer takes the grant. This has ended the connection.',
  verification_failed: 'The application answered, but neither took nor refused the credentials.',
  provider_unavailable: 'The application could not be reached, or could not answer. Try again later.',
  unverifiable: 'The application offers nothing to ask.',
  credentials_unreadable: 'No encryption key of the service opens the credentials.',
  conflict: 'The service no longer knows the application, or the connection changed during the test.',
  rate_limited: 'The account has too much under way. Try again shortly.',
  unavailable: 'The service is too busy. Try again shortly.',
  pending: 'The user is still asked for access.',
  expired: 'The connection has ended by itself. Reconnect it first.',
  disconnected: 'The connection has been ended. Reconnect it first.',
} as const;

/** A word of the table; or the reason of a connection that ended during the test. */
export type TestReason = keyof typeof TEST_REASONS | StatusReason | ErrorCode;
