import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { STATUS_REASONS } from '../../src/features/integrations/changes/integration-status.js';
import { parseAppsFile } from '../../src/features/integrations/apps/apps-file.js';
import { builtInTypes, catalog } from '../../src/features/integrations/apps/index.js';
import { TEST_REASONS } from '../../src/features/integrations/test-reasons.js';
import { STEP_ERRORS } from '../../src/features/actions/step-errors.js';
import { RUN_REASONS } from '../../src/features/runs/run-reasons.js';
import { ERROR_KINDS } from '../../src/platform/errors.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { PROMISED_NAMES } from './promised-names.js';

const FOLDER = join(packageRoot, 'docs/reference');
const pages = globSync('*.md', { cwd: FOLDER });
const textOf = (page: string) => readFileSync(join(FOLDER, page), 'utf8');
const text = pages.map(textOf).join('\n');
/** Whatever stands as code: a name there is meant as one. */
const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner]) => inner!).join('\n');

/** As a word of its own: `id` is not in `integration_id`. */
function isThere(name: string): boolean {
  const escaped = name.replace(/[\^$.*+?()[\]{}|<>]/g, '\\$&');
  const place = /^\d/.test(name) ? text : code;
  return new RegExp(`(?<![\\w.])${escaped}(?![\\w])`).test(place);
}

describe('the reference', () => {
  it.each(Object.entries(PROMISED_NAMES))('has all %s that clients rely on', (_, names) => {
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });

  it('has every word that the code can answer with', () => {
    const words = [STATUS_REASONS, TEST_REASONS, RUN_REASONS, STEP_ERRORS, ERROR_KINDS].flatMap((table) =>
      Object.keys(table),
    );
    expect(words.length).toBeGreaterThan(50);
    expect(words.filter((word) => !isThere(word))).toEqual([]);
  });

  it('finds no name that is not there', () => {
    expect(isThere('no_such_reason')).toBe(false);
    expect(isThere('catch')).toBe(false);
  });

  it('lists each of its pages once', () => {
    const listed = [...textOf('README.md').matchAll(/\]\((\w[\w-]*\.md)\)/g)].map(([, page]) => page);
    expect(listed.sort()).toEqual(pages.filter((page) => page !== 'README.md').sort());
  });
});

describe('the example of APPS_FILE', () => {
  it('is taken by the service', () => {
    const file = readFileSync(join(packageRoot, 'examples/apps-file/apps.json'), 'utf8');
    const { apps, faults } = parseAppsFile(file, builtInTypes);
    expect([apps.map(({ type }) => type), faults]).toEqual([['acme_crm', 'stock_keeper'], []]);
  });
});

describe('the README', () => {
  it('says how many applications are built in', () => {
    const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
    expect(readme).toContain(`lists the ${catalog.length} built-in applications`);
  });
});
