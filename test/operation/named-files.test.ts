import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'examples/**/*.md'], { cwd: packageRoot })
  // The changelog describes the past; the catalog names files of other repositories.
  .filter((path) => path !== 'CHANGELOG.md' && path !== 'docs/catalog.md')
  .sort();
const SOURCES = globSync('{src,test,scripts,bench,schema,docs,examples}/**/*', { cwd: packageRoot });
const PATHS = globSync('{src,test,scripts,bench,schema,deploy}/**/*', { cwd: packageRoot }).map((path) => `${path}/`);
const NAMES = new Set(SOURCES.map((path) => basename(path)));

const textOf = (document: string) => readFileSync(join(packageRoot, document), 'utf8');

/** Whether a file named by a document exists: relative to the root, to `src`, or to the document's own folder. */
function isThere(document: string, path: string): boolean {
  const folders = ['', 'src', dirname(document)];
  return folders.some((folder) => existsSync(join(packageRoot, folder, path)));
}

/** The paths in a piece of code that begin with a folder of this repository. */
function pathsIn(code: string): string[] {
  return (
    code.match(
      /(?<![\w./@:-])(?:src|test|scripts|bench|schema|deploy|process|transports|features|platform)\/[\w./-]+/g,
    ) ?? []
  );
}

/** Whether a file or folder begins with this path, as `npm test -- test/waits/scale/answered` names it. */
function isBeginning(path: string): boolean {
  return ['', 'src/'].some((folder) => PATHS.some((each) => each.startsWith(folder + path)));
}

describe('a file that a document names is there', () => {
  it.each(DOCUMENTS)('in %s', (document) => {
    const named = [...textOf(document).matchAll(/`([\w/-][\w./-]*\.(?:ts|tsx|mjs|graphql))`/g)].map(
      ([, path]) => path!,
    );
    const missing = named.filter((path) => (path.includes('/') ? !isThere(document, path) : !NAMES.has(path)));
    expect(missing).toEqual([]);
  });

  it.each(DOCUMENTS)('as a link of %s', (document) => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, path]) => path!);
    const missing = links.filter((path) => !existsSync(join(packageRoot, dirname(document), path)));
    expect(missing).toEqual([]);
  });

  it.each(DOCUMENTS)('also as a folder, or by the beginning of its name, in %s', (document) => {
    const named = [...textOf(document).matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => pathsIn(code!));
    const missing = named.filter((path) => !isBeginning(path));
    expect(missing).toEqual([]);
  });

  it('in more than a hundred places', () => {
    const all = DOCUMENTS.flatMap((document) => textOf(document).match(/`[\w./-]+\.(?:ts|tsx|mjs|graphql)`/g) ?? []);
    expect(all.length).toBeGreaterThan(100);
  });
});
