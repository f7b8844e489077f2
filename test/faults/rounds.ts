/** How often each fault strikes: once or twice within `npm test`, more in `npm run test:faults` (`FAULT_ROUNDS`). */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);

/** The most that a test of so many rounds takes, in milliseconds: it waits for events, and this ends the wait. */
export const PATIENCE_MS = 60_000 + ROUNDS * 30_000;
