import { createHash } from 'node:crypto';
import { openCopyClient } from '../../../src/platform/db/copy/copy-client.js';
import { layoutOf } from '../../../src/platform/db/copy/layout.js';
import copyStreams from 'pg-copy-streams';

/** A digest of every row of each table of a database, in the order of their texts: equal only for the same rows. */
export async function rowDigests(url: string): Promise<Record<string, string>> {
  const client = await openCopyClient(url);
  try {
    const digests: Record<string, string> = {};
    for (const { name, columns } of (await layoutOf(client)).tables) {
      const rows = `SELECT ROW(${columns.join(', ')})::text AS row FROM ${name} ORDER BY 1`;
      const hash = createHash('sha256');
      for await (const chunk of client.query(copyStreams.to(`COPY (${rows}) TO STDOUT`))) hash.update(chunk as Buffer);
      digests[name] = hash.digest('hex');
    }
    return digests;
  } finally {
    await client.end();
  }
}
