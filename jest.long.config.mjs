import config from './jest.config.mjs';

/** `npm run test:long`: what takes minutes, in files named `*.long.ts`; one at a time, so that each has the machine. */
export default { ...config, testMatch: ['**/*.long.ts'], maxWorkers: 1, testTimeout: 3_600_000 };
