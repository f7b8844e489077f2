import { useSyncExternalStore } from 'react';
import { serviceNow } from '../../graphql/service-clock.js';
import { onHover } from './date-words.js';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const TICK = 1_000;
const ROUND = 15_000;
/** The clocks of service and browser may differ by this much: a time that is new may seem to be ahead. */
const NEAR = 5_000;

/** A time as “3 min. ago”, updated continuously; on hover the exact time in the user's time zone. */
export function RelativeTime({ at, fallback = '—' }: { at: string | null | undefined; fallback?: string }) {
  const time = at === null || at === undefined ? undefined : new Date(at);
  // The words are the snapshot, so that a tick renders only the times whose words change.
  const words = useSyncExternalStore(onTick, () =>
    time === undefined ? fallback : relativeTime(time.getTime(), serviceNow()),
  );
  if (time === undefined) return <span>{words}</span>;
  return (
    <time dateTime={at!} title={onHover.format(time)}>
      {words}
    </time>
  );
}

/** The current time in milliseconds, rounded up to 15 seconds: for words about the past, which never lag behind. */
export function useRoundedNow(): number {
  return useSyncExternalStore(onTick, roundedNow);
}

/** The time `at` relative to another, in words; both in milliseconds. A future time never reads as past. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.trunc((at - now) / 1_000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  if (unit === 'second') {
    if (at <= now) return 'just now';
    return at - now > NEAR ? 'in a moment' : 'now';
  }
  // “tomorrow” means the next calendar day, not a time more than 24 hours ahead.
  if (unit === 'day') return relative.format(dayOf(at) - dayOf(now), unit);
  return relative.format(Math.trunc(seconds / size), unit);
}

/** The difference in calendar days, in the user's time zone. */
function dayOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times on the page. */
function onTick(tell: () => void): () => void {
  watchers.add(tell);
  timer ??= setInterval(() => watchers.forEach((watcher) => watcher()), TICK);
  return () => {
    watchers.delete(tell);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function roundedNow(): number {
  return Math.ceil(serviceNow() / ROUND) * ROUND;
}
