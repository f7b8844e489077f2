const LATEST = 2 ** 48 - 1;

/**
 * The lower bound of all UUIDv7 from that millisecond on; a time outside the range of UUIDv7 counts as the nearest one.
 */
export function lowestUuidAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), LATEST).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
