import { availableParallelism } from 'node:os';

/** Tests run against the real server on a real PostgreSQL; `test/support/global-setup.mjs` brings it up. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/waiters-first.mjs',
  // Tests wait for the database and the network more than they compute; PostgreSQL takes 200 connections.
  maxWorkers: Math.min(Math.ceil(availableParallelism() * 1.5), 8),
  testTimeout: 30_000,
};
