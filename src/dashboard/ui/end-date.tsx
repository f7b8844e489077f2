import { useState } from 'react';
import { RelativeTime } from './relative-time.js';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const SOON_MS = 2 * 86_400_000;

/** When something ends or has ended: ahead of that as a day, from two days before as the time that is left. */
export function EndDate({ at, fallback = '—' }: { at: string | null; fallback?: string }) {
  const [now] = useState(Date.now);
  if (at === null || Date.parse(at) - now < SOON_MS) return <RelativeTime at={at} fallback={fallback} />;
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {day.format(new Date(at))}
    </time>
  );
}
