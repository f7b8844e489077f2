import { useState } from 'react';
import { RelativeTime } from '../ui/relative-time.js';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const SOON_MS = 2 * 86_400_000;

/** When an access ends: as a day, and within two days as the time that is left. */
export function ExpiryDate({ at }: { at: string | null }) {
  const [now] = useState(Date.now);
  if (at === null || Math.abs(new Date(at).getTime() - now) < SOON_MS) return <RelativeTime at={at} />;
  return <time dateTime={at}>{day.format(new Date(at))}</time>;
}
