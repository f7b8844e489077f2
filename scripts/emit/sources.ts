import { globSync } from 'node:fs';
import { packageRoot } from '../../src/platform/package-root.js';

/** The files of a folder, e.g. all of src that end with `.router.ts`, with their paths from the root of the package. */
export function sourceFiles(ending: string, folder = 'src'): string[] {
  return globSync(`${folder}/**/*${ending}`, { cwd: packageRoot }).sort();
}
