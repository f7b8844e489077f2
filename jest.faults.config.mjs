import config from './jest.config.mjs';

/** `npm run test:faults`: the same tests as in `npm test`, with more rounds. */
process.env.FAULT_ROUNDS ??= '10';

export default { ...config, testMatch: ['**/test/faults/*.test.ts'] };
