import { type ErrorCode } from '../../platform/errors.js';
import { type StatusReason } from './changes/integration-status.js';

/** Why a test of an integration failed. Only the first two change its status. */
export const TEST_REASONS = {
  key_refused: 'The application refused the API key. The integration is now `disconnected`.',
  refresh_refused: 'The application refused the access token and its renewal. The integration is now `expired`.',
  verification_failed: 'The application responded, but neither accepted nor refused the credentials.',
  provider_unavailable: 'The application could not be reached, or could not respond. Try again later.',
  unverifiable: 'The application has no request that checks credentials.',
  credentials_unreadable: 'No encryption key of the service decrypts the credentials.',
  conflict:
    'The service does not know the application or the host of its API, or the connection changed during the test. Reconnect if it stays so.',
  rate_limited:
    'The application asked to wait (see `blockedUntil`), or the account has too many requests under way. Try again later.',
  unavailable: 'The service is too busy. Try again shortly.',
  pending: 'The user has yet to grant access.',
  expired: 'The access has ended. Reconnect first.',
  disconnected: 'The integration is not connected. Reconnect first.',
} as const;

/** A reason of the table, or the status reason of a connection that ended during the test. */
export type TestReason = keyof typeof TEST_REASONS | StatusReason | ErrorCode;
