import { type Page } from 'playwright-core';
import { RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { axe } from './support/axe.js';
import { usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

describeInBrowser('the list of runs in a browser', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open();
    // Once, so that no test waits for what the first page of a browser costs.
    await (await pages.open(world.server, { path: '/runs' })).close();
  });
  afterAll(() => world.close());

  async function dashboard(path: string): Promise<Page> {
    const opened = await pages.open(world.server, { path });
    return opened.page;
  }

  const wait = { name: 'wait', kind: 'delay', config: { seconds: 3_600 } };

  /** A run of these actions. @returns its id and its workflow's. */
  async function fired(actions: readonly object[]): Promise<{ run: string; workflow: string; hook: string }> {
    const { id: workflow, hook } = await world.workflow(actions);
    return { run: await world.fire(hook, {}), workflow, hook };
  }

  it('the list changes in place and adds new runs', async () => {
    const { run, hook, workflow } = await fired([wait]);
    const page = await dashboard(`/runs?workflow=${workflow}`);
    const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
    await rows.getByText('Running').waitFor();
    await rows.getByText(/Waiting until/).waitFor();
    await world.client.rest('POST', `/runs/${run}/cancel`);
    await rows.getByText('Canceled').waitFor();
    expect(await rows.count()).toBe(1);
    await world.fire(hook);
    await rows.nth(1).getByText('Canceled').waitFor();
    await rows.nth(0).getByText('Running').waitFor();
  });

  it('a test run names no trigger, and the filters stand in one row', async () => {
    const { workflow } = await fired([]);
    const test = 'mutation ($id: ID!) { testWorkflow(workflowId: $id) { id } }';
    await world.client.graphql(test, { id: workflow });
    const page = await dashboard(`/runs?workflow=${workflow}&tests=only`);
    const cell = page.getByRole('table', { name: 'Runs' }).locator('tbody tr').getByRole('cell', { name: 'Test run' });
    await cell.waitFor();
    const filters = page.getByRole('search').locator('> :not([type=hidden])');
    const tops = await filters.evaluateAll((all) => all.map((filter) => filter.getBoundingClientRect().top));
    expect(tops).toHaveLength(5);
    expect(new Set(tops).size).toBe(1);
  });

  it('a run that was made before the line stood is there once it stands', async () => {
    const { hook, workflow } = await fired([]);
    const page = await dashboard('/settings/profile');
    const line = await held(page);
    await page.goto(`/runs?workflow=${workflow}`);
    const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
    await rows.nth(0).getByText('Succeeded').waitFor();
    await line.asked;
    await world.ended(await world.fire(hook));
    line.letThrough();
    await rows.nth(1).getByText('Succeeded').waitFor();
  });

  it('new runs are counted where they would move what one points at', async () => {
    const { hook, workflow } = await fired([]);
    const page = await dashboard(`/runs?workflow=${workflow}&status=succeeded`);
    const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
    await rows.first().waitFor();
    await rows.first().hover();
    await world.fire(hook);
    await page.getByRole('button', { name: '1 new run' }).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: '1 new run' }).click();
    await rows.nth(1).waitFor();
    expect(await page.getByRole('button', { name: /new run/ }).count()).toBe(0);
  });

  it('filters stand in the address and survive a reload', async () => {
    const { run, workflow } = await fired([]);
    await world.ended(run);
    await world.client.rest('PUT', `/workflows/${workflow}`, { body: { name: 'The one that is looked for' } });
    const page = await dashboard('/runs');
    await page.getByRole('combobox', { name: 'Workflow' }).fill('looked for');
    await page.getByRole('option', { name: 'The one that is looked for' }).click();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Succeeded' }).click();
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last hour' }).click();
    await page.waitForURL(`**/runs?workflow=${workflow}&status=succeeded&time=hour`);
    await page.reload();
    await page.getByRole('row', { name: /The one that is looked for/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await page.getByRole('combobox', { name: 'Workflow' }).inputValue()).toBe('The one that is looked for');
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Before the last 7 days' }).click();
    await page.getByText('No run matches').waitFor();
    await page.getByRole('link', { name: 'Show all runs' }).click();
    await page.waitForURL('**/runs');
  });

  it('a page of older runs stays as it is while new ones come', async () => {
    const { run, hook, workflow } = await fired([]);
    const runs = [run];
    while (runs.length < 7) runs.unshift(await world.fire(hook));
    for (const each of runs) await world.ended(each);
    const page = await dashboard(`/runs?workflow=${workflow}&per_page=3`);
    const button = (name: string) =>
      page.getByRole('navigation', { name: 'Pages of Runs' }).getByRole('button', { name });
    const shows = async (ids: readonly string[]) => {
      for (const [place, id] of ids.entries()) {
        await page.locator(`tbody tr:nth-child(${place + 1}) a[href="/runs/${id}"]`).waitFor();
      }
      await until(async () => (await page.locator('tbody tr').count()) === ids.length);
    };
    await shows(runs.slice(0, 3));
    await page.getByText('Total: 7').waitFor();
    expect(await button('Newer').isDisabled()).toBe(true);
    await button('Older').click();
    await shows(runs.slice(3, 6));
    runs.unshift(await world.fire(hook));
    await page.getByRole('button', { name: '1 new run' }).waitFor();
    await page.reload();
    await shows(runs.slice(4, 7));
    expect(await axe(page)).toEqual([]);
    await button('Older').click();
    await shows(runs.slice(7));
    expect(await button('Older').isDisabled()).toBe(true);
    await button('Newer').click();
    await shows(runs.slice(4, 7));
    await button('Newer').click();
    await shows(runs.slice(1, 4));
    await page.goBack();
    await shows(runs.slice(4, 7));
    await button('Newer').click();
    await button('Newer').click();
    // In front of these is one run only: the first page shows more.
    await shows(runs.slice(0, 3));
    expect(new URL(page.url()).search).toBe(`?workflow=${workflow}&per_page=3`);
    await page.goto(`/runs?workflow=${workflow}&after=x`);
    await page.getByText('after: must be an id that begins with run_').waitFor();
  });
});

/** The WebSocket of a page that loads from now on: nothing goes through it until it is let through. */
async function held(page: Page): Promise<{ asked: Promise<void>; letThrough: () => void }> {
  const asked = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  await page.routeWebSocket('**/graphql', (socket) => {
    const said: (string | Buffer)[] = [];
    let say = (message: string | Buffer): void => void said.push(message);
    socket.onMessage((message) => {
      asked.resolve();
      say(message);
    });
    void free.promise.then(() => {
      const service = socket.connectToServer();
      say = (message) => service.send(message);
      said.forEach(say);
    });
  });
  return { asked: asked.promise, letThrough: () => free.resolve() };
}
