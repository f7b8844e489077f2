import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';

const MAX_FILES = 20;

it('no folder of src, test or bench has more than 20 files beside one another', () => {
  const files = globSync('{src,test,bench}/**/*.*', { cwd: packageRoot }).filter(
    (file) => !file.includes('.generated.'),
  );
  const folders = Map.groupBy(files, (file) => dirname(file));
  expect(folders.size).toBeGreaterThan(50);
  const large = [...folders].filter(([, { length }]) => length > MAX_FILES).map(([folder]) => folder);
  expect(large).toEqual([]);
});
