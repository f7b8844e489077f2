import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import pg from 'pg';
// From here on `import()` of TypeScript works, with decorators.
import '@swc-node/register/esm-register';

const { removeOrphans, scratchFolder } = await import('../scratch.ts');

/** Starts a PostgreSQL (or uses that of TEST_DATABASE_URL) and, if one works, a browser, once for all tests. */
export default async function globalSetup() {
  removeOrphans();
  await Promise.all([findDatabase(), findBrowser()]);
}

async function findDatabase() {
  process.env.TEST_ADMIN_URL = process.env.TEST_DATABASE_URL ?? (await startFresh());
}

async function startFresh() {
  const { startEmbedded } = await import('../../../src/platform/db/embedded/embedded-postgres.ts');
  const folder = scratchFolder();
  const database = await startEmbedded({ dataDir: folder, log: (line) => console.error(line) });
  globalThis.stopTestDatabase = async () => {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await signInQuickly(database.url);
  return database.url;
}

/** Each connection repeats SCRAM's hash 4,096 times by default, which protects weak passwords; this one is random. */
async function signInQuickly(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SET scram_iterations = 1; ALTER ROLE CURRENT_USER PASSWORD '${new URL(url).password}'`);
  await client.end();
}

async function findBrowser() {
  const { findForRun } = await import('../browser/chromium-of-run.ts');
  // On the disk: the file system in memory may not allow programs to run.
  const folder = scratchFolder(tmpdir());
  globalThis.removeTestBrowser = () => rmSync(folder, { recursive: true, force: true });
  await findForRun(folder);
}
