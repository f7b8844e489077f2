import config from './jest.config.mjs';

/** `npm run test:faults`: the same tests as in `npm test`, with more rounds; one at a time, so that each has the machine. */
process.env.FAULT_ROUNDS ??= '10';

export default { ...config, testMatch: ['**/test/faults/*.test.ts'], maxWorkers: 1, testTimeout: 900_000 };
