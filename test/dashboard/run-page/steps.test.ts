import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { axe } from '../support/axe.js';
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
});
