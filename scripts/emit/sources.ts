import { globSync } from 'node:fs';
import { packageRoot } from '../../src/platform/package-root.js';

/** The files of a folder with an ending, e.g. all `.router.ts` of src, with paths relative to the package. */
export function sourceFiles(ending: string, folder = 'src'): string[] {
  return globSync(`${folder}/**/*${ending}`, { cwd: packageRoot }).sort();
}
