const LATEST = 2 ** 48 - 1;

/** The lowest of all UUIDv7 of that millisecond and later ones; times that a UUIDv7 can't hold count as the nearest. */
export function lowestUuidAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), LATEST).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
