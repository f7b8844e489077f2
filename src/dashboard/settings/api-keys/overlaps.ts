import { type ApiKeyRowFragment } from './api-keys.generated.js';

/** The default overlap, in hours. */
export const DEFAULT_OVERLAP = 24;

/** The choices for how long the old key keeps working, each with its effect. */
export const OVERLAPS = [
  {
    hours: 0,
    label: 'Not at all',
    effect: 'The old key stops working at once, and its open connections close. Choose this if it leaked.',
  },
  { hours: 1, label: 'One hour', effect: 'Enough if you replace the key right away.' },
  { hours: 24, label: 'One day', effect: 'Usually enough to update every program that uses the key.' },
  { hours: 168, label: 'One week', effect: 'For programs that other people have to update.' },
  { hours: 720, label: '30 days', effect: 'The longest possible overlap.' },
] as const;

/**
 * The expiry of the old key after a rotation: the end of the overlap, or its own expiry if that is earlier; null: at
 * once.
 */
export function oldEnd(old: ApiKeyRowFragment, fresh: ApiKeyRowFragment, hours: number): string | null {
  if (hours === 0) return null;
  const end = new Date(Date.parse(fresh.createdAt) + hours * 3_600_000).toISOString();
  return old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
}
