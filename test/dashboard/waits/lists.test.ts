import { describeInBrowser } from '../../support/browser/in-browser.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { look } from '../looks.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';
import { approval, callback, connection, entry, hasCopied, section, waitingRun } from './wait-pages.js';

const CONNECT = `mutation ($reference: String!) { connectIntegration(input: { type: "sandbox_api_key",
  reference: $reference, credentials: { api_key: "sandbox_valid_key" } }) { ... on Integration { id } } }`;

describeInBrowser('the page of waits', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open();
    // Once, so that no test waits for what the first page of a browser costs.
    await (await pages.open(world.server, { path: '/waits' })).close();
  });
  afterAll(() => world.close());

  it('what a user can end comes before callbacks, each with the URL to copy', async () => {
    const paid = await waitingRun(world, [callback]);
    const linked = await waitingRun(world, [connection]);
    await waitingRun(world, [approval()]);
    const { page, context } = await pages.open(world.server, { path: '/waits' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await section(page, 'Callbacks').waitFor();
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Approvals',
      'Connections',
      'Callbacks',
    ]);
    await section(page, 'Connections').getByRole('heading', { name: 'Sandbox (API key) of user-7' }).waitFor();
    await page.getByRole('button', { name: 'Copy link to connect “user-7”' }).click();
    await page.getByText('Copied', { exact: true }).first().waitFor();
    await hasCopied(page, linked.wait.connect_url);
    await page.getByRole('button', { name: 'Copy URL of “paid”' }).click();
    await hasCopied(page, paid.wait.url);
    await entry(page).getByText('3 pending').waitFor();
  });

  it('a callback and a connection end the wait on the page, wherever they come from', async () => {
    const paid = await waitingRun(world, [{ ...callback, name: 'paid now' }]);
    const linked = await waitingRun(world, [connection], { user: 'user-8' });
    const { page } = await pages.open(world.server, { path: '/waits' });
    const [called, connected] = [
      section(page, 'Callbacks').getByRole('heading', { name: 'paid now' }),
      section(page, 'Connections').getByRole('heading', { name: /of user-8$/ }),
    ];
    await called.waitFor();
    await connected.waitFor();
    await world.client.send('POST', new URL(paid.wait.url).pathname, { body: '{"paid":true}' });
    await called.waitFor({ state: 'detached' });
    await world.client.graphql(CONNECT, { reference: 'user-8' });
    await connected.waitFor({ state: 'detached' });
    expect((await world.ended(linked.run)).status).toBe('succeeded');
  });

  it('leads to the workflow by its name, and to the run by its id', async () => {
    const { run, workflow } = await waitingRun(world, [approval({ title: 'Linked' })]);
    const { page } = await pages.open(world.server, { path: '/waits' });
    const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Linked' }) });
    await item.waitFor();
    const links = await item.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual([`/workflows/${workflow}`, `/runs/${run}`]);
    await world.client.rest('POST', `/runs/${run}/cancel`);
  });

  it('has pages of each kind, with their places in the URL', async () => {
    const { hook } = await world.workflow([approval({ title: 'No {{ trigger.body }}' })]);
    const runs: string[] = [];
    for (let number = 1; number <= 3; number += 1) runs.push(await world.fire(hook, number));
    const { page } = await pages.open(world.server, { path: '/waits?per_page=2' });
    const list = section(page, 'Approvals');
    await list.getByText(/^Total: \d+$/).waitFor();
    const shown = () => list.getByRole('heading', { level: 3 }).allInnerTexts();
    const first = await shown();
    await list.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/[?&]approval_after=/);
    await page.reload();
    await list.getByRole('button', { name: 'Newer' }).waitFor();
    const second = await shown();
    expect(second.filter((title) => first.includes(title))).toEqual([]);
    // The others keep their places.
    await section(page, 'Callbacks').getByRole('heading', { name: 'paid' }).waitFor();
    // Without any before it, this is the first page.
    for (const run of runs.slice(1)) await world.client.rest('POST', `/runs/${run}/cancel`);
    await list.getByRole('button', { name: 'Newer' }).waitFor({ state: 'detached' });
    expect(await shown()).toEqual(['No 1', 'Refund 120 €?']);
    expect(new URL(page.url()).search).toBe('?per_page=2');
  });

  it('is accessible and not too wide in every look', async () => {
    await waitingRun(world, [approval({ title: 'x'.repeat(190), text: `${'y'.repeat(300)}\n`.repeat(8) })]);
    await waitingRun(world, [connection], { user: 'z'.repeat(200) });
    const { page } = await pages.open(world.server, { path: '/waits' });
    await section(page, 'Approvals').getByText('x'.repeat(190)).waitFor();
    for (const [scheme, width] of [
      ['light', 1440],
      ['dark', 820],
      ['light', 390],
      ['dark', 390],
    ] as const) {
      await look(page, scheme, width);
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await page.getByRole('button', { name: `Approve “${'x'.repeat(190)}”` }).click();
    await page.getByRole('dialog').getByLabel('Comment').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it('the entry in the drawer of a phone has the count', async () => {
    const { page } = await pages.open(world.server, { path: '/', width: 390 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page
      .getByRole('dialog', { name: 'Navigation' })
      .getByText(/^\d+ pending$/)
      .waitFor();
    await entry(page).click();
    await page.getByRole('heading', { level: 1, name: 'Waiting' }).waitFor();
  });
});
