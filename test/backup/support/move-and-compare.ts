import { join } from 'node:path';
import { gateway } from '../../support/shell-command.js';
import { type EmptyTarget } from './empty-target.js';
import { fillFolder, withEmbedded } from './filled-folder.js';
import { rowDigests } from './moved-rows.js';

/** Moves an embedded database with this many runs, and expects every row of every table on both sides. */
export async function moveAndCompare(dataDir: string, target: EmptyTarget, runs: number): Promise<void> {
  await fillFolder(dataDir, runs);
  const moved = await gateway({ DATA_DIR: dataDir }, 'move', '--to', target.url);
  expect([moved.status, moved.stderr]).toEqual([0, '']);
  expect(moved.stdout).toContain(`The encryption key is in ${join(dataDir, 'encryption.key')}`);
  expect(moved.stdout).not.toContain(new URL(target.url).password);
  const [original, copy] = [await withEmbedded(dataDir, rowDigests), await rowDigests(target.url)];
  expect(Object.keys(original).length).toBeGreaterThan(30);
  expect(copy).toEqual(original);
  const counted = `SELECT (SELECT count(*)::int FROM runs) AS runs, (SELECT count(*)::int FROM steps) AS steps,
    (SELECT count(*)::int FROM pgboss.job) AS jobs, (SELECT max(id)::int FROM trigger_change_fan_outs) AS last`;
  expect(await target.query(counted)).toEqual([{ runs, steps: runs, jobs: 50, last: 3 }]);
}
