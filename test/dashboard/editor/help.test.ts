import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { buildDocs } from '../support/build.js';
import { usePages } from '../support/dashboard.js';
import { look } from '../looks.js';

const CONDITION = {
  name: 'large',
  kind: 'CONDITION',
  config: { path: 'trigger.body.total', operator: 'greater_than', value: 100 },
};

describeInBrowser('the help beside a field', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    await buildDocs();
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('shows the matching part of the reference beside the editor, and gives the focus back', async () => {
    const account = new Account((await signedIn(server)).client);
    const workflow = await account.workflow('Large orders', [CONDITION]);
    const dashboard = await pages.open(server, { path: `/workflows/${workflow}/actions` });
    const { page } = dashboard;
    await page.getByRole('button', { name: /large/ }).first().click();
    const help = page.getByRole('button', { name: 'Help: Operators' });
    await help.click();
    const sheet = page.getByRole('dialog', { name: 'Operators' });
    await sheet.getByRole('cell', { name: 'greater_than' }).waitFor();
    expect(await sheet.getByRole('heading', { name: 'When a step fails' }).count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await look(page, 'dark', 390);
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Help: Operators');

    await page.getByRole('button', { name: 'Help: Placeholders' }).click();
    const placeholders = page.getByRole('dialog', { name: 'Placeholders' });
    const link = placeholders.getByRole('link', { name: 'actions' }).first();
    expect(await link.getAttribute('href')).toBe(`${server.baseUrl}/docs/actions`);
    expect(await link.getAttribute('target')).toBe('_blank');
    await page.keyboard.press('Escape');

    await page.route('**/docs/actions', (route) => route.abort());
    await page.getByRole('button', { name: 'Help: Condition' }).click();
    await page.getByText('The reference did not load').waitFor();
    dashboard.complaints.length = 0;
  });
});
