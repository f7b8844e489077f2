import pg from 'pg';
import { attachEmbedded, startEmbedded } from '../../../src/platform/db/embedded/embedded-postgres.js';

/**
 * A process that uses an embedded database: `holder.ts service|command DATA_DIR [insert]`. It reports events as JSON
 * lines; with `insert`, the number of each row once it is acknowledged. It stops at the end of its input.
 */
const [kind, dataDir = '', insert] = process.argv.slice(2);
const tell = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
const log = (line: string) => tell({ log: line });

async function insertForEver(url: string): Promise<void> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS acknowledged (n int)');
  for (let n = 1; ; n++) {
    await client.query('INSERT INTO acknowledged VALUES ($1)', [n]);
    tell({ acknowledged: n });
  }
}

try {
  const database = await (kind === 'service' ? startEmbedded : attachEmbedded)({ dataDir, log });
  tell({ url: database.url, dataDir: database.dataDir });
  process.stdin.resume().on('end', () => {
    void Promise.all([database.stop(), database.stop()]).then(() => process.exit(0));
  });
  if (insert) await insertForEver(database.url);
} catch (error) {
  tell({ error: (error as Error).name, message: (error as Error).message });
  process.exit(1);
}
