import { ModuleMocker } from 'jest-mock';
import { awaitClosed, openResources } from './open-resources.mjs';

/**
 * The global under which Node's `fetch` finds its connection pool (https://github.com/nodejs/undici, lib/global.js).
 */
const FETCH_POOL = Symbol.for('undici.globalDispatcher.1');

/** A test environment without a VM context: tests run in the worker's own realm, as the service does. */
export default class ProcessEnvironment {
  global = globalThis;
  /** Required by jest-runtime; no test mocks a module. */
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
   * @throws Error when the test file leaves a resource open, which would keep its worker alive. A file with a failed
   * test may: then the failure must be reported.
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

/** `fetch` keeps the connection of each unread response, so the next test file gets a new pool. */
async function closeFetch() {
  const pool = globalThis[FETCH_POOL];
  if (pool === undefined) return;
  globalThis[FETCH_POOL] = new pool.constructor();
  await pool.destroy();
}
