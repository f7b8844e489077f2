import { type ApiKeyRowFragment } from './api-keys.generated.js';

/** A key counts as expiring when it ends within this many milliseconds. */
const SOON = 7 * 86_400_000;

/** The state of a key at the time `now`, in milliseconds. */
export function keyState({ revokedAt, expiresAt }: ApiKeyRowFragment, now: number) {
  if (revokedAt !== null) return 'REVOKED';
  if (expiresAt === null) return 'ACTIVE';
  const rest = Date.parse(expiresAt) - now;
  if (rest <= 0) return 'EXPIRED';
  return rest <= SOON ? 'EXPIRING' : 'ACTIVE';
}

/** The scopes as people read them. */
export const SCOPES = {
  READ_ONLY: {
    label: 'Read-only',
    effect:
      'List and retrieve everything in the account: including the URLs and secrets of webhook triggers and the headers of actions, so its holder can start workflows. It cannot change anything.',
  },
  READ_WRITE: { label: 'Read-write', effect: 'Create, update, delete and retrieve everything in the account.' },
} as const;
