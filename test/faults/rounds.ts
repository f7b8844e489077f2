/** How often each fault strikes: once or twice within `npm test`, more in `npm run test:faults` (`FAULT_ROUNDS`). */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);
