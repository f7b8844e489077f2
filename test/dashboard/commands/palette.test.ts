import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { type SignedIn, signedIn } from '../../support/worlds/people.js';
import { look } from '../looks.js';
import { Account, SHORT } from '../support/account.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the palette', () => {
  const pages = usePages();
  let server: TestServer;
  let person: SignedIn;
  let account: Account;
  let run: string;
  beforeAll(async () => {
    server = await startTestServer();
    person = await signedIn(server);
    account = new Account(person.client);
    const { hook } = await account.trigger(await account.workflow('Invoice reminders', [SHORT]));
    run = await account.fire(hook, { order: 'order-4711' });
    await account.ended(run);
    await account.connectSandbox('Billing');
  });
  afterAll(() => server.close());

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
  const open = async () => {
    const { page } = await pages.open(server, { path: '/settings/profile', as: person });
    await heading(page, 'Profile').waitFor();
    return page;
  };
  const field = (page: Page) => page.getByRole('combobox', { name: 'Search and commands' });
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

  it('opens by Ctrl+K, moves by keys, and gives the focus to the page it opens', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await field(page).and(page.locator(':focus')).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.type('settings');
    await option(page, 'Settings: Users').waitFor();
    // The first one is active from the start.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const active = await field(page).getAttribute('aria-activedescendant');
    expect(await option(page, 'Settings: Users').getAttribute('id')).toBe(active);
    await page.keyboard.press('Enter');
    await heading(page, 'Users').and(page.locator(':focus')).waitFor();
    expect(await field(page).count()).toBe(0);
  });

  it('gives the focus back when it closes', async () => {
    const page = await open();
    const button = page.getByRole('button', { name: 'Search', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await button.and(page.locator(':focus')).waitFor();
  });

  it('gives the focus back through a dialog that it opens, in which no shortcut works', async () => {
    const page = await open();
    const button = page.getByRole('button', { name: 'Search', exact: true });
    await button.focus();
    await page.keyboard.press('Control+k');
    await field(page).fill('keyboard');
    await option(page, /^Keyboard shortcuts/)
      .and(page.locator('[aria-selected=true]'))
      .waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Search and commands').waitFor();
    await field(page).waitFor({ state: 'detached' });
    for (const key of ['g', 'w', 'Control+k']) await page.keyboard.press(key);
    await page.keyboard.press('Escape');
    await button.and(page.locator(':focus')).waitFor();
    await heading(page, 'Profile').waitFor();
    expect(await field(page).count()).toBe(0);
  });

  it('finds workflows, connections and runs', async () => {
    const page = await open();
    for (const [text, row, place] of [
      ['reminders', /^Invoice reminders Active/, '**/workflows/*'],
      ['bill', /^Billing sandbox_oauth/, '**/integrations/*'],
      // By workflow and status, by its input, by its id.
      ['reminders · succ', /^Invoice reminders · Succeeded/, `**/runs/${run}`],
      ['order-4711', /^Invoice reminders · Succeeded/, `**/runs/${run}`],
      [run, `Open ${run}`, `**/runs/${run}`],
    ] as const) {
      await page.keyboard.press('Control+k');
      await field(page).fill(text);
      await option(page, row).first().click();
      await page.waitForURL(place);
      await field(page).waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await field(page).fill('nothing like it');
    await page.getByText('Nothing matches.').waitFor();
  });

  it('shows a run once, also by its whole id, with the time as on pages', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await option(page, /^Invoice reminders · Succeeded.*[A-Z][a-z]{2} \d+, (?:\d{4}, )?\d\d:\d\d$/).waitFor();
    await field(page).fill(run);
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(await page.getByRole('option').allInnerTexts()).toEqual([`Open ${run}`]);
    expect(await page.locator('[role=option][aria-selected=true]').count()).toBe(1);
  });

  it('creates a workflow, on a phone', async () => {
    const page = await open();
    await look(page, 'dark', 390);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await field(page).fill('create');
    await option(page, 'Create workflow').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New workflow' });
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
  });

  it('lists the shortcuts, which lead to pages, and can be turned off', async () => {
    const page = await open();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Search and commands').waitFor();
    for (const [scheme, width] of [
      ['dark', 390],
      ['light', 1280],
    ] as const) {
      await look(page, scheme, width);
      expect(await axe(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await heading(page, 'Workflows').waitFor();
    // In a field they are text.
    const search = page.getByLabel('Search workflows');
    await search.click();
    await page.keyboard.type('?gr');
    expect(await search.inputValue()).toBe('?gr');
    await search.blur();
    await page.keyboard.press('?');
    await dialog.getByLabel('Use shortcuts of single keys').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    expect(await dialog.count()).toBe(0);
    await page.keyboard.press('Escape');
    await heading(page, 'Workflows').waitFor();
  });
});
