/**
 * Options of an error that refuses work after it waited in vain. By the code of its cause it counts as a database that was
 * away: nothing happened, and asking again may work.
 */
export function noTurn(reason: string): { retryAfter: number; cause: Error } {
  return { retryAfter: 1, cause: Object.assign(new Error(reason), { code: 'NO_TURN' }) };
}
