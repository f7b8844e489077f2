import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { scaled } from '../support/runner/long-scale.js';
import { scratchFolder } from '../support/scratch.js';
import { emptyTarget } from './support/empty-target.js';
import { moveAndCompare } from './support/move-and-compare.js';

it('moves a million runs, each row the same on both sides', async () => {
  const [folder, target] = [scratchFolder(), await emptyTarget()];
  try {
    await moveAndCompare(join(folder, 'data'), target, scaled(1_000_000, 10_000));
  } finally {
    await target.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
