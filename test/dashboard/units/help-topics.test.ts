import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOPICS } from '../../../src/dashboard/ui/help/topics.js';
import { packageRoot } from '../../../src/platform/package-root.js';
import { buildDocs } from '../support/build.js';

interface Page {
  path: string;
  html: string;
}

describe('the help of the dashboard', () => {
  let pages: Page[];

  beforeAll(async () => {
    await buildDocs();
    pages = JSON.parse(readFileSync(join(packageRoot, 'dist/docs/pages.json'), 'utf8')) as Page[];
  });

  it.each(Object.values(TOPICS))('“$title” is a part of the reference', ({ page, section }) => {
    const { html = '' } = pages.find(({ path }) => path === page) ?? {};
    expect(html).toMatch(new RegExp(`<h[1-3] id="${section}"`));
  });
});
