import { tellSkipped } from './skipped-in-browser.mjs';

/** Undoes what `global-setup.mjs` did; a PostgreSQL of TEST_DATABASE_URL goes on. */
export default async function globalTeardown() {
  await globalThis.stopTestDatabase?.();
  globalThis.removeTestBrowser();
  tellSkipped();
}
