/** Smaller differences count as equal: a response takes time to arrive, and its header has whole seconds. */
const TOLERANCE_MS = 5_000;

let ahead = 0;

/**
 * The current time in milliseconds by the service's clock, like all times of the service. A browser's clock may be wrong
 * by hours, and so would ages, ranges and expiries be that are computed with it.
 */
export function serviceNow(): number {
  return Date.now() + ahead;
}

/** A `fetch` that derives the difference of the clocks from the `Date` header of each response. */
export async function fetchWithClock(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request);
  const difference = Date.parse(answer.headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
  return answer;
}
