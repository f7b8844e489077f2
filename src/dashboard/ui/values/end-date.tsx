import { dateFormat, onHover } from './date-words.js';
import { useRoundedNow } from './relative-time.js';

const day = dateFormat({ year: true });
const minute = dateFormat({ clock: 'minute' });
const NEAR_MS = 2 * 86_400_000;

/** The date of an expiry, past or future; with the time of day if it is within two days. */
export function EndDate({ at, fallback = '—' }: { at: string | null; fallback?: string }) {
  const now = useRoundedNow();
  if (at === null) return <span>{fallback}</span>;
  const date = new Date(at);
  const format = Math.abs(date.getTime() - now) < NEAR_MS ? minute : day;
  return (
    <time dateTime={at} title={onHover.format(date)}>
      {format.format(date)}
    </time>
  );
}
