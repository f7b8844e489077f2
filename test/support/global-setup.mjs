import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
// From here on, `import()` of our TypeScript works, decorators included.
import '@swc-node/register/esm-register';

const { removeOrphans, scratchFolder } = await import('./scratch.ts');

/** Brings up, once for all tests, a PostgreSQL (that of TEST_DATABASE_URL, else a fresh one) and a browser, where one starts. */
export default async function globalSetup() {
  removeOrphans();
  await Promise.all([findDatabase(), findBrowser()]);
}

async function findDatabase() {
  process.env.TEST_ADMIN_URL = process.env.TEST_DATABASE_URL ?? (await startFresh());
}

async function startFresh() {
  const { startEmbedded } = await import('../../src/platform/db/embedded/embedded-postgres.ts');
  const folder = scratchFolder();
  const database = await startEmbedded({ dataDir: folder, log: (line) => console.error(line) });
  globalThis.stopTestDatabase = async () => {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return database.url;
}

async function findBrowser() {
  const { findForRun } = await import('./chromium-of-run.ts');
  // On the disk: programs may not run from where memory is mounted.
  const folder = scratchFolder(tmpdir());
  globalThis.removeTestBrowser = () => rmSync(folder, { recursive: true, force: true });
  await findForRun(folder);
}
