import { useSyncExternalStore } from 'react';
import { serviceNow } from '../../graphql/service-clock.js';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const TICK = 15_000;

/** A time as “3 min. ago”, updated continuously; on hover the exact time in the user's time zone. */
export function RelativeTime({ at, fallback = '—' }: { at: string | null | undefined; fallback?: string }) {
  const now = useRoundedNow();
  if (at === null || at === undefined) return <span>{fallback}</span>;
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {relativeTime(new Date(at).getTime(), now)}
    </time>
  );
}

/** The current time for `relativeTime`, in milliseconds; it never lags behind, so nothing past is in the future. */
export function useRoundedNow(): number {
  return useSyncExternalStore(onTick, roundedNow);
}

/** The time `at` relative to another, in words; both in milliseconds. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  // The clocks of service and browser may differ by a little.
  if (unit === 'second') return seconds > 15 ? 'in a moment' : 'just now';
  // “tomorrow” means the next calendar day, not a time more than 24 hours ahead.
  if (unit === 'day') return relative.format(dayOf(at) - dayOf(now), unit);
  return relative.format(Math.trunc(seconds / size), unit);
}

/** The difference in calendar days, in the user's time zone. */
function dayOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

function onTick(tell: () => void): () => void {
  const timer = setInterval(tell, TICK);
  return () => clearInterval(timer);
}

function roundedNow(): number {
  return Math.ceil(serviceNow() / TICK) * TICK;
}
