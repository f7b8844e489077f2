/** Below it, clocks are equal: an answer takes time on its way, and its header counts whole seconds. */
const TOLERANCE_MS = 5_000;

let ahead = 0;

/**
 * The present moment in milliseconds by the clock of the service, as all of its times are. That of a browser may be wrong
 * by hours: ages, ranges and ends reckoned by it would be, too.
 */
export function serviceNow(): number {
  return Date.now() + ahead;
}

/** `fetch` that learns from the `Date` header of each answer by how much the clocks differ. */
export async function fetchWithClock(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request);
  const difference = Date.parse(answer.headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
  return answer;
}
