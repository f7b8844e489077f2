import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { axe } from '../dashboard/support/axe.js';
import { launchChromium } from '../support/browser/chromium-of-run.js';
import { describeInBrowser } from '../support/browser/in-browser.js';
import { type RunWorld } from '../support/worlds/run-world.js';
import { awaitConnection, openConnectionWorld } from './connection-world.js';
import { integrationsOf, waiting } from './wait-world.js';

describeInBrowser('the page of a run that waits for a connection', () => {
  let world: RunWorld;
  let browser: Browser;
  let hook: string;
  beforeAll(async () => {
    world = await openConnectionWorld();
    browser = await launchChromium();
    ({ hook } = await world.workflow([awaitConnection({ type: '{{ trigger.body.type }}' })]));
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  async function open(type: string, user: string): Promise<{ page: Page; run: string; url: string }> {
    const run = await world.fire(hook, { type, user });
    const [wait] = await waiting(world, run);
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(wait.connect_url);
    return { page, run, url: wait.connect_url };
  }

  it('leads to the application and back, and the run goes on', async () => {
    const { page, run, url } = await open('sandbox_oauth', 'ada');
    await page.getByRole('heading', { name: 'Connect Sandbox (OAuth 2)' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue to Sandbox' }).click();
    await page.locator('button[value=deny]').click();
    await page.getByRole('heading', { name: 'was not connected' }).waitFor();
    await page.goto(url);
    await page.getByRole('button', { name: 'Continue to Sandbox' }).click();
    await page.locator('button[value=grant]').click();
    await page.getByRole('heading', { name: 'is connected' }).waitFor();
    expect((await world.ended(run)).status).toBe('succeeded');
    await page.goto(url);
    await page.getByRole('heading', { name: 'Sandbox (OAuth 2) is connected' }).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await integrationsOf(world, 'ada')).toHaveLength(1);
  });

  it('takes a key and a parameter by the keyboard alone, after a typing error', async () => {
    const { page, run } = await open('tenant', 'grace');
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('Your company').fill('Acme');
    await page.getByLabel('API key').fill('any_key_of_a_tenant');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Your company: must match').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('Your company').fill('acme');
    await page.getByLabel('API key').fill('any_key_of_a_tenant');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The tenant is connected' }).waitFor();
    expect((await world.ended(run)).status).toBe('succeeded');
  });

  it('says that its time is over, and fits small screens', async () => {
    const { page, run, url } = await open('sandbox_oauth', 'late');
    await page.setViewportSize({ width: 320, height: 600 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await world.client.rest('POST', `/runs/${run}/cancel`);
    expect((await page.goto(url))!.status()).toBe(410);
    await page.getByRole('heading', { name: 'This connection is no longer needed' }).waitFor();
    expect(await axe(page)).toEqual([]);
  });
});
