import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';
import { bulkTurn } from '../../runs/bulk/bulk-turn.js';
import { storeRuns } from '../../runs/bulk/bulk-world.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';

describeInBrowser('bulk operations in the list of runs', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open({ env: { ROLES: 'api' } });
  });
  afterAll(() => world.close());

  it('retry the runs of the filters, with their number and live progress', async () => {
    const { id: workflow } = await world.workflow([]);
    await storeRuns(world, workflow, { count: 25, status: 'failed' });
    await storeRuns(world, workflow, { count: 5, status: 'succeeded' });
    const { page } = await pages.open(world.server, { path: `/runs?workflow=${workflow}` });
    await page.getByRole('button', { name: 'Retry these runs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry these runs?' });
    await dialog.getByText(/^25 failed or canceled runs match/).waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Retry runs' }).click();
    await page.getByText('0 of 25 retried').waitFor();
    await bulkTurn(world.server);
    await page.getByText('25 of 25 retried').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByText('25 of 25 retried').waitFor({ state: 'detached' });
  });

  it('leave out runs whose retry is under way, which the list and their pages show', async () => {
    const { id: workflow } = await world.workflow([]);
    await storeRuns(world, workflow, { count: 2, status: 'failed' });
    const { page } = await pages.open(world.server, { path: `/runs?workflow=${workflow}&status=failed` });
    const retryAll = async () => {
      await page.getByRole('button', { name: 'Retry these runs' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Retry runs' }).click();
    };
    await retryAll();
    await page.getByText('0 of 2 retried').waitFor();
    await bulkTurn(world.server);
    await page.getByText('2 of 2 retried').waitFor();
    await retryAll();
    await page.getByText(/^Nothing to retry/).waitFor();
    await page.getByText('Retried', { exact: true }).nth(1).waitFor();
    await page.reload();
    await page.getByText('Retried', { exact: true }).nth(1).waitFor();
    await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click();
    await page.getByRole('link', { name: /^run_…/ }).click();
    await page.getByRole('link', { name: 'the run before' }).waitFor();
  });

  it('take the choice of test runs, to which the overview leads', async () => {
    const { id: workflow } = await world.workflow([]);
    const [test] = await storeRuns(world, workflow, { count: 3, status: 'failed' });
    await world.server.db.query(`UPDATE runs SET is_test = true WHERE id = $1`, [test]);
    const path = `/runs?status=failed&workflow=${workflow}&tests=none`;
    const { page } = await pages.open(world.server, { path });
    await page.getByRole('button', { name: 'Retry these runs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry these runs?' });
    await dialog.getByText(/^2 failed or canceled runs match/).waitFor();
    await dialog.getByRole('button', { name: 'Retry runs' }).click();
    await page.getByText('0 of 2 retried').waitFor();
  });

  it('cancel open runs, until they are stopped', async () => {
    const { id: workflow } = await world.workflow([]);
    await storeRuns(world, workflow, { count: 3, status: 'queued' });
    const { page } = await pages.open(world.server, { path: `/runs?workflow=${workflow}` });
    await page.getByRole('button', { name: 'Cancel these runs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel these runs?' });
    await dialog.getByText(/^3 runs match that have not ended/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel runs' }).click();
    await page.getByText('0 of 3 canceled').waitFor();
    await page.reload();
    await page.getByText('0 of 3 canceled').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Canceling runs was stopped').waitFor();
    const [bulk] = await world.server.db.query<{ status: string }>(
      `SELECT status FROM bulk_operations ORDER BY id DESC LIMIT 1`,
    );
    expect(bulk!.status).toBe('canceled');
  });

  it('need a filter, and none that they do not take', async () => {
    const { page } = await pages.open(world.server, { path: '/runs' });
    await page.getByRole('table', { name: 'Runs' }).waitFor();
    expect(await page.getByRole('button', { name: 'Retry these runs' }).count()).toBe(0);
    await page.goto('/runs?search=x');
    const retry = page.getByRole('button', { name: 'Retry these runs' });
    await retry.waitFor();
    expect(await retry.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('To retry or cancel runs together, remove the search first.').waitFor();
    await page.goto('/runs?status=failed&search=');
    await until(async () => (await retry.getAttribute('aria-disabled')) === null);
  });
});
