import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';
import { axe } from '../support/axe.js';
import { connectKey } from '../support/connect-world.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the steps of a run', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open();
  });
  afterEach(() => {
    world.reply = () => ({ body: { ok: true } });
  });
  afterAll(() => world.close());

  /** The page of a run of these actions that has ended. */
  async function ended(actions: readonly object[], body: unknown = {}): Promise<{ page: Page; workflow: string }> {
    const { id: workflow, hook } = await world.workflow(actions);
    const run = await world.fire(hook, body);
    await world.ended(run);
    const { page } = await pages.open(world.server, { path: `/runs/${run}` });
    await page.getByRole('list', { name: 'Steps' }).waitFor();
    return { page, workflow };
  }

  const condition = (name: string, operator: string, value: unknown) => ({
    name,
    kind: 'condition',
    config: { path: 'trigger.body.total', operator, value },
  });
  const step = (page: Page, name: string) => page.getByRole('list', { name: 'Steps' }).getByRole('button', { name });

  it('a condition says what it found and expected', async () => {
    const conditions = [condition('large', 'greater_than', '100'), condition('huge', 'greater_than', 500)];
    const { page } = await ended([...conditions, world.call('after')], { total: 250 });
    await step(page, 'large').click();
    await page.getByText('Found 250, expected greater than “100”.').waitFor();
    await step(page, 'huge').click();
    await page.getByText('Found 250, expected greater than 500. The condition was false').waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('a condition that cannot compare says why', async () => {
    const { page } = await ended([condition('large', 'greater_than', 100)], { total: 'much' });
    const why = 'A text that is not a number cannot be compared with a number.';
    await page.getByText(`Found “much”, expected greater than 100. ${why} The condition was false`).waitFor();
  });

  it('a failed step leads to its action, and the actions after it are named', async () => {
    world.reply = ({ url }) => (url === '/reserve' ? { status: 422 } : {});
    const { page, workflow } = await ended([world.call('look up'), world.call('reserve'), world.call('pay')]);
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByRole('listitem').filter({ hasText: 'pay' }).getByText('Not reached').waitFor();
    expect(await steps.getByRole('listitem').count()).toBe(3);
    expect(await axe(page)).toEqual([]);
    // The workflow may have changed since.
    await world.client.rest('PUT', `/workflows/${workflow}/actions`, {
      body: { actions: [world.call('reserve')] },
    });
    await page.reload();
    await steps.getByRole('listitem').filter({ hasText: 'pay' }).getByText('Not reached').waitFor();
    await steps.getByRole('link', { name: 'Edit the action' }).click();
    await page.getByLabel('URL', { exact: true }).waitFor();
    const card = page.getByRole('button', { name: /^1 reserve/ });
    await until(() => card.evaluate((button) => button === document.activeElement));
    expect(await card.getAttribute('aria-expanded')).toBe('true');
  });

  it('a step that keeps failing says so, in the list too', async () => {
    world.reply = () => ({ status: 500 });
    const { id: workflow, hook } = await world.workflow([world.call('reserve')]);
    const run = await world.fire(hook);
    await until(async () => (await world.run(run)).steps[0]?.error != null);
    // The second attempt comes after two seconds, on a busy machine before the page.
    const { page } = await pages.open(world.server, { path: `/runs/${run}` });
    const notice = page.getByRole('note').filter({ hasText: /Attempt [1-4] failed: “reserve”/ });
    await notice.getByText(/answered with status 500\. It is tried again at/).waitFor();
    expect(await page.getByText('It continues at').count()).toBe(0);
    await page.goto(`/workflows/${workflow}/runs`);
    await page.getByText(/Attempt [1-4] failed: .* answered with status 500\. It is tried again at/).waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('a step during which its run was canceled is canceled, not failed', async () => {
    const { hook } = await world.workflow([
      { name: 'wait', kind: 'delay', config: { seconds: 3_600 } },
      world.call('after'),
    ]);
    const run = await world.fire(hook);
    await until(async () => (await world.run(run)).steps.length === 1);
    await world.client.rest('POST', `/runs/${run}/cancel`);
    const { page } = await pages.open(world.server, { path: `/runs/${run}` });
    await step(page, 'wait').getByText('Canceled').waitFor();
    expect(await step(page, 'wait').getByText('Failed').count()).toBe(0);
    await page.getByRole('listitem').filter({ hasText: 'after' }).getByText('Not reached').waitFor();
    expect(await page.getByRole('link', { name: 'Edit the action' }).count()).toBe(0);
  });

  it('a page that a step received is shown with its lines, as text', async () => {
    const html = '<!doctype html>\n<h1 onclick="stop()">Closed</h1>\n';
    world.reply = () => ({ headers: { 'content-type': 'text/html' }, body: html });
    const { page } = await ended([world.call('fetch')]);
    const body = page.getByRole('region', { name: 'Body of fetch (output)' });
    await body.waitFor();
    expect((await body.innerText()).trimEnd()).toBe(html.trimEnd());
    expect(await page.getByRole('region', { name: 'Output of fetch' }).innerText()).not.toContain('doctype');
    expect(await axe(page)).toEqual([]);
  });

  it('an app request names its connection and the URL', async () => {
    const id = await connectKey(world.server, 'default', 'The shop');
    const get = { method: 'GET', path: '/v1/items?of={{ trigger.body.name }}', integration_id: id };
    const { page } = await ended([{ name: 'items', kind: 'app_request', config: get }], { name: 'a b' });
    await page.getByText(`${world.server.baseUrl}/sandbox/v1/items?of=a%20b`, { exact: true }).waitFor();
    const link = page.getByRole('listitem').getByRole('link', { name: 'The shop' });
    expect(await link.getAttribute('href')).toBe(`/integrations/${id}`);
    expect(await axe(page)).toEqual([]);
  });
});
