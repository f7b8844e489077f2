import config from './jest.config.mjs';

/** `npm run test:long`: what takes minutes, in files named `*.long.ts`. */
export default { ...config, testMatch: ['**/*.long.ts'], testTimeout: 600_000 };
