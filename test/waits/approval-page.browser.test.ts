import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { axe } from '../dashboard/support/axe.js';
import { launchChromium } from '../support/browser/chromium-of-run.js';
import { describeInBrowser } from '../support/browser/in-browser.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { waiting, waitsOf } from './wait-world.js';

describeInBrowser('the page of an approval, in a browser', () => {
  let world: RunWorld;
  let browser: Browser;
  beforeAll(async () => {
    world = await RunWorld.open();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  async function open(url: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 320, height: 600 } });
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    return page;
  }

  it('is decided by the first of two people, and tells the second one what was decided', async () => {
    const title = 'Refund <b>order</b> 7';
    const { hook } = await world.workflow([
      {
        name: 'ask',
        kind: 'wait_for_approval',
        config: { title, text: `${'long'.repeat(100)}\n\n<script>x</script>\nline 2` },
      },
    ]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    const [first, second] = [await open(wait.url), await open(wait.url)];
    for (const page of [first, second]) {
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    }
    // Its line breaks are those of the text.
    expect(await first.getByText('line 2').innerText()).toBe('<script>x</script>\nline 2');
    await first.getByLabel('Comment (optional)').fill('Fine.\nGo on.');
    await first.getByRole('button', { name: 'Approve' }).click();
    await first.getByRole('heading', { name: 'Approved' }).waitFor();
    expect(await axe(first)).toEqual([]);
    await second.getByRole('button', { name: 'Deny' }).click();
    await second.getByText('It was decided before.').waitFor();
    await second.getByRole('heading', { name: 'Approved' }).waitFor();
    expect(await second.getByText('Go on.').innerText()).toBe('Fine.\nGo on.');
    const output = { decision: 'approved', comment: 'Fine.\nGo on.', by: null };
    expect((await world.ended(run)).steps[0]).toMatchObject({ status: 'succeeded', output });
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'answered', answer: output }]);
  });
});
