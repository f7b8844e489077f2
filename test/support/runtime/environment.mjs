import { ModuleMocker } from 'jest-mock';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { awaitClosed, openResources } from './open-resources.mjs';

/** The descriptions of the symbols under which jest-circus keeps its handlers and the tests of a file (jest-circus, types.ts). */
const LEFT_BY_CIRCUS = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** A test environment without a VM context: tests run in the worker's own realm, as the service does. */
export default class ProcessEnvironment {
  global = globalThis;
  /** Required by jest-runtime; no test mocks a module. */
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  hasFailed = false;

  async setup() {
    forgetEarlierFiles();
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

/**
 * Removes what jest-circus has left in the one global object. Each file's copy adds to the handlers of its predecessors: every
 * event of a test would be handled once more for each earlier file.
 */
function forgetEarlierFiles() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (LEFT_BY_CIRCUS.has(symbol.description)) delete globalThis[symbol];
}

/**
 * `fetch` keeps the connection of each unread response, so the next test file gets a new pool. Once undici is loaded, the
 * `fetch` of Node.js uses its pool.
 */
async function closeFetch() {
  const pool = getGlobalDispatcher();
  setGlobalDispatcher(new Agent());
  await pool.destroy();
}
