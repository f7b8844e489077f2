import { tellSkipped } from './skipped.mjs';

/** Reverts `global-setup.mjs`; a PostgreSQL of TEST_DATABASE_URL keeps running. */
export default async function globalTeardown() {
  await globalThis.stopTestDatabase?.();
  globalThis.removeTestBrowser();
  tellSkipped();
}
