import { type ApiKeyRowFragment } from './api-keys.generated.js';

/** In hours. */
export const DEFAULT_OVERLAP = 24;

/** For how long the old key may work beside the new one; each in words. */
export const OVERLAPS = [
  { hours: 0, label: 'Not at all', effect: 'It leaked: it stops now, and its open connections close.' },
  { hours: 1, label: 'One hour', effect: 'The old key stops working at once.' },
  { hours: 24, label: 'One day', effect: 'Usually enough to bring the new one to everything that uses it.' },
  { hours: 168, label: 'One week', effect: 'When others have to bring it there.' },
  { hours: 720, label: '30 days', effect: 'The longest possible overlap.' },
] as const;

/** When the old key ends after a rotation: with the overlap, or before by its own end; null for now. */
export function oldEnd(old: ApiKeyRowFragment, fresh: ApiKeyRowFragment, hours: number): string | null {
  if (hours === 0) return null;
  const end = new Date(Date.parse(fresh.createdAt) + hours * 3_600_000).toISOString();
  return old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
}
