import { ModuleMocker } from 'jest-mock';
import { awaitClosed, openResources } from './open-resources.mjs';

/** Where Node's `fetch` finds its connection pool (https://github.com/nodejs/undici, lib/global.js). */
const FETCH_POOL = Symbol.for('undici.globalDispatcher.1');

/** A test environment without a VM context: tests run in the worker's own realm, as the service does. */
export default class ProcessEnvironment {
  global = globalThis;
  /** jest-runtime demands it; no test mocks a module. */
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  hasFailed = false;

  async setup() {
    this.before = openResources();
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
  }

  /**
   * @throws Error when the test file leaves something open: its worker would not end by itself. A test that fails may,
   * and its failure is what must be seen.
   */
  async teardown() {
    await closeFetch();
    if (!this.hasFailed) await awaitClosed(this.before);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

/** `fetch` keeps the connection of each response that a test does not read. The next test file gets a pool of its own. */
async function closeFetch() {
  const pool = globalThis[FETCH_POOL];
  if (pool === undefined) return;
  globalThis[FETCH_POOL] = new pool.constructor();
  await pool.destroy();
}
