/** The deaths of processes in this time that end the service, and the time in milliseconds. */
export const MAX_DEATHS = 5;
const PERIOD_MS = 60_000;
/** The pause before a process is started again after the first death of the period; each further death doubles it. */
const FIRST_PAUSE_MS = 250;

/** Counts the processes that died in the last minute. */
export class Deaths {
  private times: number[] = [];

  /** Counts a death. @returns the pause before the next start in milliseconds; undefined if there have been too many. */
  count(now = performance.now()): number | undefined {
    this.times = [...this.times.filter((time) => now - time < PERIOD_MS), now];
    if (this.times.length >= MAX_DEATHS) return undefined;
    return FIRST_PAUSE_MS * 2 ** (this.times.length - 1);
  }
}
