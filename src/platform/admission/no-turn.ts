/**
 * Options of an error that refuses work after it waited in vain. The code of the cause makes `isDatabaseAway` true:
 * nothing was written, and a retry may succeed.
 */
export function noTurn(reason: string): { retryAfter: number; cause: Error } {
  return { retryAfter: 1, cause: Object.assign(new Error(reason), { code: 'NO_TURN' }) };
}
