import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/package-root.js';
import { buildDashboard } from '../support/build.js';

/** The contents of the files of a folder. */
function textOf(folder: string, pattern: string): string {
  return globSync(pattern, { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

/** The names that Mantine gives its classes. */
const classes = (text: string): Set<string> => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

describe('the styles of Mantine', () => {
  beforeAll(() => buildDashboard());

  it('are there for each class of the code, and most others are not', () => {
    const assets = join(packageRoot, 'dist/dashboard/assets');
    const inCode = classes(textOf(assets, '*.js'));
    const inStyles = classes(textOf(assets, '*.css'));
    const all = classes(textOf(join(packageRoot, 'node_modules/@mantine'), '{core,notifications}/styles.css'));
    expect([...all].filter((name) => inCode.has(name) && !inStyles.has(name))).toEqual([]);
    expect(inCode.size).toBeGreaterThan(50);
    expect(inStyles.size).toBeLessThan(all.size / 2);
  });
});
