/** How often each fault occurs: once or twice in `npm test`, more in `npm run test:faults` (`FAULT_ROUNDS`). */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);
