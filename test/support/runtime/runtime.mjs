import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
// The service's entry points load it; tests import single modules in any order.
import 'reflect-metadata';
import { setGlobals } from './globals.mjs';
import { loadTypeScript, sourceMaps } from './typescript.mjs';

const require = createRequire(import.meta.url);

loadTypeScript();

/** Jest's message to a worker that no test file is left (jest-worker, CHILD_MESSAGE_END). */
const END = 2;
// jest-runner replaces it later.
const { exit } = process;
// Does not wait for what a test file left open: that file has failed, see environment.mjs.
process.on('message', ([type]) => {
  if (type === END) exit.call(process);
});

/**
 * Jest's runtime, except that Node itself imports the test files. Packages and files of `src` are loaded once per
 * worker; Jest would load them again for each test file, which took most of the suite's time.
 */
export default class NativeRuntime extends Runtime {
  /** Loads jest-circus, which registers the tests of one file: each file needs a fresh copy. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  setGlobalsForRuntime(globals) {
    setGlobals(globals);
  }

  getSourceMaps() {
    return sourceMaps;
  }
}
