import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { look } from '../looks.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the flow in the editor', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open();
  });
  afterAll(() => world.close());

  const card = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^\\d ${name} `) });

  it('marks each card after a test run, until the actions change', async () => {
    world.reply = ({ url }) => (url === '/bad' ? { status: 422 } : {});
    const { id } = await world.workflow([world.call('good'), world.call('bad'), world.call('after')]);
    const { page } = await pages.open(world.server, { path: `/workflows/${id}` });
    await page.getByRole('button', { name: 'Test run' }).first().click();
    await page.getByRole('button', { name: 'Run test' }).click();
    await card(page, 'good').getByText('Succeeded').waitFor();
    await card(page, 'bad').getByText('Failed').waitFor();
    await card(page, 'after').getByText('Not reached').waitFor();
    expect(await axe(page)).toEqual([]);
    await look(page, 'dark', 390);
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await look(page, 'light', 1280);
    await card(page, 'bad').click();
    await page.getByLabel('URL', { exact: true }).fill(`${world.targetUrl}/better`);
    await card(page, 'good').getByText('Succeeded').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save actions' }).click();
    await page.getByText('All changes are saved').waitFor();
    expect(await card(page, 'good').getByText('Succeeded').count()).toBe(0);
    await page.getByRole('button', { name: 'Run test' }).click();
    await card(page, 'after').getByText('Succeeded').waitFor();
  });

  it('begins with the triggers, each a link to its page', async () => {
    const { id } = await world.workflow([world.call('first')]);
    const { body } = await world.client.rest('POST', '/triggers', {
      body: { workflow_id: id, type: 'schedule', config: { cron: '0 9 * * *' } },
    });
    const { page } = await pages.open(world.server, { path: `/workflows/${id}` });
    const when = page.getByRole('region', { name: 'When it runs' });
    await when.getByRole('link', { name: /^POST to/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await when.getByRole('link', { name: 'At 09:00' }).click();
    await page.waitForURL(`**/triggers/${body.id}`);
  });

  it('offers to add a trigger where there is none', async () => {
    const { body } = await world.client.rest('POST', '/workflows', { body: { name: 'Bare' } });
    const { page } = await pages.open(world.server, { path: `/workflows/${body.id}` });
    const when = page.getByRole('region', { name: 'When it runs' });
    await when.getByText('No trigger yet').waitFor();
    expect(await axe(page)).toEqual([]);
    await when.getByRole('button', { name: 'Add trigger' }).click();
    const dialog = page.getByRole('dialog', { name: 'New trigger' });
    await dialog.getByRole('radio', { name: 'Webhook' }).click();
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await when.getByRole('link', { name: /^POST to/ }).waitFor();
  });
});
