const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span of milliseconds as people read it: `84 ms`, `1.2 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h`. */
export function durationInWords(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < 10_000) return `${(Math.floor(milliseconds / 100) / 10).toFixed(1)} s`;
  if (milliseconds < MINUTE) return `${Math.floor(milliseconds / 1_000)} s`;
  if (milliseconds < HOUR) return two(milliseconds, MINUTE, 'min', 1_000, 's');
  if (milliseconds < DAY) return two(milliseconds, HOUR, 'h', MINUTE, 'min');
  return two(milliseconds, DAY, 'd', HOUR, 'h');
}

function two(milliseconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((milliseconds % large) / small);
  return `${Math.floor(milliseconds / large)} ${largeUnit}${rest === 0 ? '' : ` ${rest} ${smallUnit}`}`;
}
