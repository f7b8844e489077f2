import { ModuleMocker } from 'jest-mock';

/** A test environment without a VM context: tests run in the worker's own realm, as the service does. */
export default class ProcessEnvironment {
  global = globalThis;
  /** jest-runtime demands it; no test mocks a module. */
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;

  async setup() {}

  async teardown() {}

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
