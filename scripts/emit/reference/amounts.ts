const UNITS = [
  [86_400_000, 'day', 'days'],
  [3_600_000, 'hour', 'hours'],
  [60_000, 'minute', 'minutes'],
  [1_000, 's', 's'],
] as const;

/** `102,400`. */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** `102,400 bytes`, or `16 MB` for what is a whole number of those (1 MB is 1,048,576 bytes). */
export function bytes(number: number): string {
  if (number % 1_048_576 === 0) return `${number / 1_048_576} MB`;
  return number % 1_024 === 0 && number < 1_048_576 && number !== 102_400
    ? `${number / 1_024} kB`
    : `${count(number)} bytes`;
}

/** `10 minutes`, from milliseconds. */
export function time(ms: number): string {
  const [unit, one, many] = UNITS.find(([each]) => ms >= each && ms % each === 0) ?? [1, 'ms', 'ms'];
  return `${count(ms / unit)} ${ms === unit ? one : many}`;
}
