import config from './jest.config.mjs';

/** `npm run test:browser`: what a person does in the dashboard, journey by journey, in files named `*.browser.ts`. */
export default { ...config, testMatch: ['**/dashboard/*.browser.ts', '**/dashboard/*.test.ts'], testTimeout: 180_000 };
