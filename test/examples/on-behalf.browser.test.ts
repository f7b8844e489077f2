import { readFile } from 'node:fs/promises';
import { type Browser, type Page } from 'playwright-core';
import { axe } from '../dashboard/support/axe.js';
import { launchChromium } from '../support/browser/chromium-of-run.js';
import { describeInBrowser } from '../support/browser/in-browser.js';
import { Client } from '../support/http/client.js';
import { ExampleWorld } from './example-world.js';

describeInBrowser('a workflow on behalf of end users, in a browser', () => {
  let world: ExampleWorld;
  let client: Client;
  let browser: Browser;
  beforeAll(async () => {
    world = await ExampleWorld.open('on-behalf');
    client = new Client(world.gateway.url, world.apiKey);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** A new end user on the page. */
  async function newUser(): Promise<Page> {
    const context = await browser.newContext();
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(world.url);
    await reaches(page, 'none');
    return page;
  }
  const reaches = (page: Page, status: string) => page.waitForSelector(`body[data-status=${status}]`);
  /** Follows the link to the page of the wait, and presses its button. */
  async function toSandbox(page: Page): Promise<Page> {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.click('#connect')]);
    await tab.getByRole('button', { name: 'Continue to Sandbox' }).click();
    return tab;
  }
  const contacts = (page: Page) => page.locator('#contacts li').allInnerTexts();
  const connections = async () => (await client.rest('GET', '/integrations')).body.meta.total as number;

  it('waits until the user has connected, and then goes on by itself', async () => {
    const page = await newUser();
    await page.click('#go');
    await reaches(page, 'waiting');
    expect(await axe(page)).toEqual([]);
    const tab = await toSandbox(page);
    await tab.click('button[value=deny]');
    await tab.getByRole('heading', { name: 'was not connected' }).waitFor();
    await tab.close();
    await page.reload();
    await reaches(page, 'waiting');
    await (await toSandbox(page)).click('button[value=grant]');
    await reaches(page, 'succeeded');
    expect(await contacts(page)).toEqual(['Charles Babbage', 'Katherine Johnson']);
  });

  it('needs the permission of each user once', async () => {
    const before = await connections();
    const page = await newUser();
    await page.click('#go');
    await reaches(page, 'waiting');
    expect(await contacts(page)).toEqual([]);
    await (await toSandbox(page)).click('button[value=grant]');
    await reaches(page, 'succeeded');
    // A run may be queued for less than a frame.
    await page.evaluate(
      `globalThis.seen = []; new MutationObserver(() => seen.push(document.body.dataset.status)).observe(document.body, { attributes: true })`,
    );
    await page.click('#go');
    await page.waitForFunction(`seen.includes('queued') && seen.at(-1) === 'succeeded'`);
    expect(await connections()).toBe(before + 1);
    const { body } = await client.rest('GET', '/workflows');
    expect(body.data).toMatchObject([{ name: 'Import contacts' }]);
  });

  it('says so where the backend reaches nothing, and goes on afterwards', async () => {
    const page = await newUser();
    await page.click('#go');
    await reaches(page, 'waiting');
    world.line.cut();
    await reaches(page, 'offline');
    world.line.restore();
    await reaches(page, 'waiting');
    await (await toSandbox(page)).click('button[value=grant]');
    await reaches(page, 'succeeded');
  });

  it('has a backend of at most 60 lines', async () => {
    const source = await readFile(new URL('../../examples/on-behalf/server.mjs', import.meta.url), 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });
});
