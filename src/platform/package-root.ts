import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of package.json: the same from `src` and from the compiled `dist/src`, so that files beside the code are
 * found.
 */
export const packageRoot = find(import.meta.dirname);

function find(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`No package.json above ${import.meta.dirname}.`);
  return find(parent);
}
