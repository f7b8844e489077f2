import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { look } from '../looks.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';
import { approval, callback, connection, hasCopied, waitingRun } from './wait-pages.js';

describeInBrowser('a run that waits, on its page', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open();
    // Once, so that no test waits for what the first page of a browser costs.
    await (await pages.open(world.server, { path: '/runs' })).close();
  });
  afterAll(() => world.close());

  const step = (page: Page, name: string) => page.getByRole('list', { name: 'Steps' }).getByRole('button', { name });
  const status = (page: Page, word: string) => page.getByRole('main').getByRole('status').getByText(word).waitFor();

  it('says for what, since when and until when, and is decided on its timeline', async () => {
    const { run } = await waitingRun(world, [
      world.call('first'),
      approval({ text: 'Ask Grace.' }),
      world.call('last'),
    ]);
    const { page, email } = await pages.open(world.server, { path: `/runs/${run}` });
    await status(page, 'Waiting');
    const sentence = /^For approval of “Refund 120 €\?”, since just now, until \w+ \d+, \d+, [\d:]+\.$/;
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByText(sentence).waitFor();
    expect(await page.getByText(sentence).count()).toBe(2);
    await steps.getByText('Ask Grace.').first().waitFor();
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await look(page, scheme, width);
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await steps.getByRole('button', { name: 'Approve “Refund 120 €?”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await step(page, 'last').getByText('Succeeded').waitFor();
    await status(page, 'Succeeded');
    // The step stays open, with its outcome.
    await steps.getByText(`Approved by ${email}.`).waitFor();
    expect(await page.getByText(sentence).count()).toBe(0);
  });

  it('says who was faster, also where the wait has disappeared under the dialog', async () => {
    const { run, wait } = await waitingRun(world, [approval()]);
    const { page } = await pages.open(world.server, { path: `/runs/${run}` });
    await page.getByRole('button', { name: 'Deny “Refund 120 €?”' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Comment').waitFor();
    await world.client.rest('POST', `/waits/${wait.id}/answer`, { body: { decision: 'approved' } });
    await dialog.getByText('It was decided in between').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await status(page, 'Succeeded');
  });

  it('continues as soon as the connection is made in another window', async () => {
    const { run, wait } = await waitingRun(world, [connection, world.call('greet')], { user: 'user-9' });
    const { page, context } = await pages.open(world.server, { path: `/runs/${run}` });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page
      .getByText(/^For a connection to Sandbox \(API key\) with the reference “user-9”, since/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Copy link to connect “user-9”' }).click();
    await hasCopied(page, wait.connect_url);
    const connect = `mutation { connectIntegration(input: { type: "sandbox_api_key", reference: "user-9",
      credentials: { api_key: "sandbox_valid_key" } }) { ... on Integration { id } } }`;
    const { body } = await world.client.graphql(connect);
    await step(page, 'greet').getByText('Succeeded').waitFor();
    await page.getByRole('region', { name: 'Output of link' }).getByText(body.data.connectIntegration.id).waitFor();
  });

  it('continues with a callback, and a second wait says for what', async () => {
    const { run, wait } = await waitingRun(world, [callback, approval({ title: 'And now?' })]);
    const { page } = await pages.open(world.server, { path: `/runs/${run}` });
    await page.getByRole('button', { name: 'Copy URL of “paid”' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await world.client.send('POST', new URL(wait.url).pathname, { body: '{"paid":7}' });
    await page.getByRole('button', { name: 'Approve “And now?”' }).waitFor();
    expect(await page.getByRole('button', { name: 'Copy URL of “paid”' }).count()).toBe(0);
    await page.getByRole('region', { name: 'Output of paid' }).getByText('7').waitFor();
  });

  it('is canceled from its step, at once', async () => {
    const { run } = await waitingRun(world, [callback]);
    const { page } = await pages.open(world.server, { path: `/runs/${run}` });
    await page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'Cancel run' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this run?' });
    await dialog.getByText('It ends at once, without further steps.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel run' }).click();
    await status(page, 'Canceled');
    await dialog.waitFor({ state: 'detached' });
  });

  it('is found by its status, and counted on the overview', async () => {
    const { run, workflow } = await waitingRun(world, [callback]);
    const { page } = await pages.open(world.server, { path: '/runs?status=waiting' });
    await page
      .getByRole('row', { name: /Flow.*Waiting/ })
      .first()
      .waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('Waiting');
    await page.goto(`/workflows/${workflow}/runs?status=waiting`);
    const row = page.getByRole('row', { name: new RegExp(`${run.slice(-8)}.*Waiting`) });
    await row.waitFor();
    await world.client.rest('POST', `/runs/${run}/cancel`);
    await page.getByRole('row', { name: new RegExp(`${run.slice(-8)}.*Canceled`) }).waitFor();
    await waitingRun(world, [callback]);
    await page.goto('/');
    const counted = page.getByRole('main').getByRole('link', { name: 'Waiting' });
    await counted.waitFor();
    expect(await counted.getAttribute('href')).toMatch(/^\/runs\?status=waiting/);
    expect(await axe(page)).toEqual([]);
  });
});
