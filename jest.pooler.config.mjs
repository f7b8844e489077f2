import config from './jest.config.mjs';

/** `npm run test:pooler`: the service behind PgBouncer, which is installed first. */
export default { ...config, testMatch: ['**/test/pooler/*.pooler.ts'], maxWorkers: 1 };
