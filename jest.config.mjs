import { availableParallelism } from 'node:os';

/** Tests run against the real server on a real PostgreSQL; `test/support/runner/global-setup.mjs` brings it up. */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Node itself loads what tests import, once per worker.
  runtime: '<rootDir>/test/support/runtime/runtime.mjs',
  testEnvironment: '<rootDir>/test/support/runtime/environment.mjs',
  transform: {},
  globalSetup: '<rootDir>/test/support/runner/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/runner/global-teardown.mjs',
  reporters: [
    'summary',
    '<rootDir>/test/support/runner/file-reporter.mjs',
    '<rootDir>/test/support/runner/skipped.mjs',
  ],
  testSequencer: '<rootDir>/test/support/runner/waiters-first.mjs',
  // Tests wait for the database and the network more than they compute; PostgreSQL takes 200 connections.
  maxWorkers: Math.min(Math.ceil(availableParallelism() * 2), 8),
  // Ends what hangs, and says nothing of speed: a busy machine takes many times longer than an idle one.
  testTimeout: 600_000,
  // Workers exit at once; on a busy machine that takes longer than the default of half a second.
  workerGracefulExitTimeout: 60_000,
};
