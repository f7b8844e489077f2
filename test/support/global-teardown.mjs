/** Stops the PostgreSQL that `global-setup.mjs` started; one of TEST_DATABASE_URL goes on. */
export default async function globalTeardown() {
  await globalThis.stopTestDatabase?.();
}
