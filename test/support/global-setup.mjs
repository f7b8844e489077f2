import { rmSync } from 'node:fs';
// From here on, `import()` of our TypeScript works, decorators included.
import '@swc-node/register/esm-register';

/** Brings up one PostgreSQL for all tests: the one of TEST_DATABASE_URL, else a fresh embedded one. */
export default async function globalSetup() {
  process.env.TEST_ADMIN_URL = process.env.TEST_DATABASE_URL ?? (await startFresh());
}

async function startFresh() {
  const { startEmbedded } = await import('../../src/db/embedded/embedded-postgres.ts');
  const { removeOrphans, scratchFolder } = await import('./scratch.ts');
  removeOrphans();
  const folder = scratchFolder();
  const database = await startEmbedded({ dataDir: folder, log: (line) => console.error(line) });
  globalThis.stopTestDatabase = async () => {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return database.url;
}
