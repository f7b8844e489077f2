/** Smaller differences count as equal: a response takes time to arrive, and its header has whole seconds. */
const TOLERANCE_MS = 5_000;

/** A dialog stays open while it sends, and must not do so for ever. The service responds within 40 seconds. */
const TIMEOUT_MS = 60_000;

let ahead = 0;

/**
 * The current time in milliseconds by the service's clock, like all times of the service. A browser's clock may be wrong
 * by hours, and so would ages, ranges and expiries be that are computed with it.
 */
export function serviceNow(): number {
  return Date.now() + ahead;
}

/** A `fetch` with a timeout that derives the difference of the clocks from the `Date` header of each response. */
export async function fetchWithClock(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const signals = [init?.signal ?? [], AbortSignal.timeout(TIMEOUT_MS)].flat();
  const answer = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
  const difference = Date.parse(answer.headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
  return answer;
}
