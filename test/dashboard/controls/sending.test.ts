import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { type SignedIn, signedIn } from '../../support/worlds/people.js';
import { Account, SHORT } from '../support/account.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('a dialog with input', () => {
  let server: TestServer;
  let person: SignedIn;
  let account: Account;
  let workflow: string;
  let manual: string;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
    person = await signedIn(server);
    account = new Account(person.client);
    workflow = await account.workflow('Nightly', [SHORT]);
    const { hook } = await account.trigger(workflow);
    await account.ended(await account.fire(hook));
    manual = (await account.trigger(workflow, 'MANUAL')).id;
  });
  afterAll(() => server.close());

  const open = async (path: string) => {
    const { page } = await pages.open(server, { path, as: person });
    page.setDefaultTimeout(15_000);
    return page;
  };

  /** Holds a mutation back. @returns a function that lets it pass. */
  async function slow(page: Page, operation: string): Promise<() => void> {
    const asked = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(`mutation ${operation}`) === true) await asked.promise;
      return route.fallback();
    });
    return () => asked.resolve();
  }

  it.each([
    ['CreateWorkflow', () => '/workflows', 'New workflow', 'New workflow', 'Create workflow', '**/workflows/wf_*'],
    ['RunNow', () => `/workflows/${workflow}`, 'Run now', 'Run now', 'Run now', '**/runs/run_*'],
    ['FireByHand', () => `/triggers/${manual}`, 'Fire', 'Fire “Nightly”', 'Fire now', '**/runs/run_*'],
    ['RetryRun', () => '/runs', 'Run again', 'Run this again?', 'Run again', '**/runs/run_*'],
  ])(
    'stays open while it sends (%s), and then opens the new page',
    async (operation, path, opens, name, sends, url) => {
      const page = await open(path());
      if (operation === 'RetryRun') await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page
        .getByRole('button', { name: new RegExp(`^${opens}`) })
        .first()
        .click();
      const dialog = page.getByRole('dialog', { name });
      if (operation === 'CreateWorkflow') await dialog.getByLabel('Name').fill('Slow');
      const pass = await slow(page, operation);
      const send = dialog.getByRole('button', { name: sends, exact: true });
      await send.click();
      await dialog.locator('button[data-loading]').waitFor();
      await page.keyboard.press('Escape');
      for (const button of ['Close', 'Cancel'])
        for (const found of await dialog.getByRole('button', { name: button }).all())
          expect(await found.isDisabled()).toBe(true);
      // Long enough for the dialog to go.
      await page.waitForTimeout(300);
      expect(await dialog.count()).toBe(1);
      pass();
      await page.waitForURL(url);
      await dialog.waitFor({ state: 'detached' });
    },
  );

  it.each([
    ['Run now', 'Run now', 'Input', '{"a": 1}'],
    ['New trigger', 'New trigger', 'Name (optional)', 'By night'],
  ])('asks before Escape discards it (%s)', async (opens, name, label, text) => {
    const page = await open(`/workflows/${workflow}/triggers`);
    const opener = page.getByRole('button', { name: opens, exact: true }).first();
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name, includeHidden: true });
    const field = dialog.getByLabel(label);
    await field.fill(text);
    const question = page.getByRole('dialog', { name: 'Discard your input?' });
    await page.keyboard.press('Escape');
    await question.waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await field.and(page.locator(':focus')).waitFor();
    expect(await field.inputValue()).toBe(text);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    await opener.and(page.locator(':focus')).waitFor();
    // Without input there is no question.
    await page.keyboard.press('Enter');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
