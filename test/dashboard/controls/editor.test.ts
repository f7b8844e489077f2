import { type Browser, type Page } from 'playwright-core';
import { signedIn } from '../../support/worlds/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { type Dashboard, launchBrowser, openDashboard } from '../support/dashboard.js';
import { look } from '../looks.js';

describeInBrowser('the editor of a long workflow', () => {
  let server: TestServer;
  let browser: Browser;
  let account: Account;
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), launchBrowser()]);
    const person = await signedIn(server);
    account = new Account(person.client);
    dashboard = await openDashboard(browser, server, { path: '/workflows', as: person });
    page = dashboard.page;
  });
  afterEach(async () => {
    await look(page, 'light', 1280);
    expect(dashboard.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  const panel = () => page.getByRole('region', { name: 'Test run' });
  const topOf = () => panel().evaluate((section) => section.getBoundingClientRect().top);

  /** The editor of a workflow with 20 cards. */
  async function longEditor(): Promise<void> {
    const mail = { to: ['ada@example.com'], subject: 'Hi', text: '' };
    const actions = Array.from({ length: 20 }, (_, place) => ({
      name: `mail ${place}`,
      kind: 'SEND_EMAIL',
      config: mail,
    }));
    await page.goto(`/workflows/${await account.workflow('Long', actions, 'DRAFT')}`);
    await page.getByRole('heading', { name: 'Actions' }).waitFor();
  }

  it.each(['light', 'dark'] as const)('lists values above all else, readable where chosen, in %s', async (scheme) => {
    await longEditor();
    await look(page, scheme, 1280);
    await page.getByRole('button', { name: /^1 mail 0/ }).click();
    await page.getByRole('textbox', { name: 'Recipient 1' }).click();
    await page.keyboard.type('{{');
    const options = page.getByRole('option');
    await options.first().waitFor();
    // As low as the bar that stays at the bottom.
    const list = page.getByRole('listbox', { name: 'Values for Recipient 1' });
    const { y, height } = (await list.boundingBox())!;
    await page.setViewportSize({ width: 1280, height: Math.ceil(y + height) + 20 });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    for (const option of await options.all()) {
      expect(await option.evaluate(isOnTop)).toBe(true);
    }
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-combobox-selected]').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await options.first().waitFor({ state: 'detached' });
    await page
      .locator('input:focus')
      .and(page.getByRole('textbox', { name: 'Recipient 1' }))
      .waitFor();
  });

  it('names a run made later by its age, not as one of the future', async () => {
    const action = { name: 'go', kind: 'CONDITION', config: { path: 'run.id', operator: 'exists' } };
    const id = await account.workflow('Aged', [action], 'DRAFT');
    // As if the page had been opened ten minutes ago.
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const date = new Date(Date.parse(response.headers().date!) - 600_000).toUTCString();
      await route.fulfill({ response, headers: { ...response.headers(), date } });
    });
    await page.goto(`/workflows/${id}`);
    await page.getByRole('combobox', { name: 'Values from' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Test run' }).first().click();
    await panel().getByRole('button', { name: 'Run test' }).click();
    await panel().getByRole('status').getByText('Succeeded').waitFor();
    const source = page.getByRole('combobox', { name: 'Values from' });
    await until(async () => (await source.inputValue()) !== '');
    expect(await source.inputValue()).toBe('Test just now · Succeeded');
    const isCutOff = (field: HTMLElement) => field.scrollWidth > field.clientWidth;
    expect(await source.evaluate(isCutOff)).toBe(false);
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('counts the errors beside “Save”, and leads to the first, in %s', async (scheme, width) => {
    await longEditor();
    await look(page, scheme, width);
    for (const place of [2, 18]) {
      await page.getByRole('button', { name: new RegExp(`^${place + 1} mail ${place} `) }).click();
      await page.getByRole('textbox', { name: 'Recipient 1' }).last().fill('');
      await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('a.b');
    }
    await page.getByRole('button', { name: 'Save actions' }).click();
    const errors = page.getByRole('button', { name: /errors?: go to the first$/ });
    await errors.waitFor();
    expect(await errors.innerText()).toContain('4 errors');
    expect(await axe(page)).toEqual([]);
    const card = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^3 / }) });
    const name = card.getByRole('textbox', { name: 'Name', exact: true });
    await name.and(page.locator(':focus')).waitFor();
    // Closed and out of sight.
    await page.getByRole('button', { name: /^3 / }).click();
    await page.mouse.wheel(0, 10_000);
    await errors.click();
    await name.and(page.locator(':focus')).waitFor();
    await until(() => name.evaluate(isOnTop));
    await name.fill('mail 2');
    await errors.getByText('3 errors').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  it('keeps the panel of a test run beside the card in view', async () => {
    await longEditor();
    await page.getByRole('button', { name: /^20 mail 19/ }).click();
    await page.mouse.wheel(0, 10_000);
    await page.getByText('All changes are saved').locator('../..').getByRole('button', { name: 'Test run' }).click();
    await panel().getByRole('heading', { name: 'Test run' }).and(page.locator(':focus')).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(900);
    expect(await topOf()).toBeGreaterThanOrEqual(0);
    expect(await panel().getByRole('button', { name: 'Run test' }).evaluate(isInView)).toBe(true);
    await page.mouse.wheel(0, -700);
    await until(async () => (await page.evaluate(() => window.scrollY)) > 0);
    expect(await panel().getByRole('button', { name: 'Run test' }).evaluate(isInView)).toBe(true);
    expect(await axe(page)).toEqual([]);
  });

  it('moves to the panel of a test run where it has no room beside the cards', async () => {
    await longEditor();
    await look(page, 'light', 1000);
    await page.mouse.wheel(0, 10_000);
    const test = page.getByRole('button', { name: 'Test run', exact: true });
    await test.last().click();
    const heading = panel().getByRole('heading', { name: 'Test run' });
    await heading.and(page.locator(':focus')).waitFor();
    await until(() => heading.evaluate(isInView));
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await test.first().click();
    await until(() => heading.evaluate(isInView));
  });
});

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/** Whether its middle is visible, and nothing covers it. */
function isOnTop(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}
