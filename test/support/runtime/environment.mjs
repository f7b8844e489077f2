import { ModuleMocker } from 'jest-mock';
import { awaitClosed, openResources } from './open-resources.mjs';

/** A test environment without a VM context: tests run in the worker's own realm, as the service does. */
export default class ProcessEnvironment {
  global = globalThis;
  /** jest-runtime demands it; no test mocks a module. */
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;

  async setup() {
    this.before = openResources();
  }

  /** @throws Error when the test file leaves something open: its worker would not end by itself. */
  async teardown() {
    await awaitClosed(this.before);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
