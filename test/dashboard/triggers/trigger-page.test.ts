import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { useSharedPage } from '../support/dashboard.js';
import { until } from '../../support/until.js';
import { inShell } from '../support/shell.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';

describeInBrowser('the page of a trigger', () => {
  const shared = useSharedPage('/triggers');
  const account = () => new Account(shared.person.client);
  const fact = (name: string) =>
    shared.page.locator('dl div', { has: shared.page.locator('dt', { hasText: name }) }).locator('dd');

  it('says when the trigger fired last as soon as it has fired', async () => {
    const { page } = shared;
    const { id, hook } = await account().trigger(await account().workflow('Live orders'));
    await page.goto(`/triggers/${id}`);
    await fact('Last fired').getByText('Never').waitFor();
    const run = page.getByRole('table', { name: 'Runs' }).getByRole('link').first();
    // More than one: the service may have begun to listen for the page only after the first.
    await until(async () => {
      await account().fire(hook);
      return run.isVisible();
    });
    await fact('Last fired').getByRole('link').waitFor({ timeout: 10_000 });
  });

  it('never calls a future time past, nor a past one future', async () => {
    const { page } = shared;
    const workflow = await account().workflow('Yearly');
    const { id } = await account().trigger(workflow, 'SCHEDULE', { cron: '0 0 1 1 *' });
    await page.goto(`/triggers/${id}`);
    const next = fact('Next').locator('time').first();
    const at = Date.parse((await next.getAttribute('datetime'))!);
    // A response would correct the clock of the page by that of the service.
    await page.context().setOffline(true);
    for (const [seconds, words] of [
      [-61, 'in 1 min.'],
      [-10, 'in a moment'],
      [10, 'just now'],
      [-40, 'in a moment'],
      [-3, 'now'],
      [61, '1 min. ago'],
    ] as const) {
      await page.clock.setFixedTime(at + seconds * 1_000);
      await next.filter({ hasText: new RegExp(`^${words.replace('.', '\\.')}$`) }).waitFor({ timeout: 20_000 });
    }
    await page.clock.setFixedTime(new Date());
    await page.context().setOffline(false);
  });

  it('the cards of types begin at the same height', async () => {
    const { page } = shared;
    await page.goto('/triggers');
    await page.getByRole('button', { name: 'New trigger' }).first().click();
    const card = page.getByRole('dialog').getByRole('radio');
    await card.first().waitFor();
    const gaps = await card.evaluateAll((all) =>
      all.map((one) => {
        const { top } = one.getBoundingClientRect();
        return ['strong', 'strong + span'].map((part) => one.querySelector(part)!.getBoundingClientRect().top - top);
      }),
    );
    expect(gaps).toHaveLength(4);
    for (const gap of gaps) expect(gap).toEqual(gaps[0]);
    await page.keyboard.press('Escape');
  });

  it('masks the secret in the curl line until it is asked for; the copied line is whole', async () => {
    const { page } = shared;
    const secret = `hush "it's" \\me`;
    const { id } = await account().trigger(await account().workflow('Signed'), 'WEBHOOK', { secret });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/triggers/${id}`);
    const line = page.getByRole('region', { name: 'curl line' });
    expect(await line.innerText()).not.toContain('hush');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy curl line' }).click();
    await page.getByText('Copied', { exact: true }).first().waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(await inShell(copied))).toMatchObject({ accepted: true });
    await page.getByRole('button', { name: 'Show the secret' }).click();
    expect(await line.innerText()).toBe(copied);
    await page.getByRole('button', { name: 'Hide the secret' }).click();
    expect(await line.innerText()).not.toContain('hush');
  });
});
