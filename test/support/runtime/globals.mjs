/** jest-circus reads the timeout of a test from here (`jest.setTimeout`). */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

let current = {};

/** Starts a test file: from here on `describe` and the others register its tests. */
export function setGlobals(globals) {
  current = globals;
  delete globalThis[TIMEOUT];
}

/** Files of `test/support` are loaded once for many test files, so each use looks up the current function. */
function global(name) {
  return new Proxy(() => undefined, {
    apply: (_target, _this, values) => current[name](...values),
    get: (_target, key) => current[name][key],
  });
}

/** The exports of `@jest/globals` that tests use. */
export const afterAll = global('afterAll');
export const afterEach = global('afterEach');
export const beforeAll = global('beforeAll');
export const beforeEach = global('beforeEach');
export const describe = global('describe');
export const expect = global('expect');
export const it = global('it');
export const test = global('test');
export const jest = {
  setTimeout: (milliseconds) => (globalThis[TIMEOUT] = milliseconds),
};
