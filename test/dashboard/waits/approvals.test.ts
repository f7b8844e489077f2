import { type Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { axe } from '../support/axe.js';
import { cuttable } from '../support/connect-world.js';
import { usePages } from '../support/dashboard.js';
import { approval, entry, section, waitingRun } from './wait-pages.js';

describeInBrowser('approvals in a browser', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open();
  });
  afterAll(() => world.close());

  const answer = (wait: string, body: object) => world.client.rest('POST', `/waits/${wait}/answer`, { body });

  it('an approval appears without a reload, and is approved with a comment', async () => {
    const { page, email } = await pages.open(world.server, { path: '/waits' });
    await page.getByRole('heading', { name: 'No run waits' }).waitFor();
    expect(await axe(page)).toEqual([]);
    const { run } = await waitingRun(world, [approval({ text: 'Line 1\n<b>Line 2</b>' })]);
    const list = section(page, 'Approvals');
    await list.getByRole('heading', { name: 'Refund 120 €?' }).waitFor();
    await list.getByText('<b>Line 2</b>').waitFor();
    await entry(page).getByText('1 pending').waitFor();
    await list.getByRole('button', { name: 'Approve “Refund 120 €?”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve?' });
    await dialog.getByRole('region', { name: 'Details' }).getByText('Line 1').waitFor();
    await dialog.getByLabel('Comment').fill('Fine by me.');
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved: “Refund 120 €?”.').waitFor();
    await page.getByRole('heading', { name: 'No run waits' }).waitFor();
    await entry(page).getByText('pending').waitFor({ state: 'detached' });
    expect((await world.ended(run)).steps[0].output).toEqual({
      decision: 'approved',
      comment: 'Fine by me.',
      by: email,
    });
  });

  it('by keyboard: the focus goes to the comment, and to the heading once the approval has disappeared', async () => {
    await waitingRun(world, [approval({ title: 'By keys', on_denied: 'continue' })]);
    const { page } = await pages.open(world.server, { path: '/waits' });
    const deny = page.getByRole('button', { name: 'Deny “By keys”' });
    await deny.focus();
    await page.keyboard.press('Enter');
    const comment = page.getByRole('dialog', { name: 'Deny?' }).getByLabel('Comment');
    await comment.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(deny);
    await page.keyboard.press('Enter');
    await expectFocus(comment);
    await page.keyboard.type('No.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Denied: “By keys”.').waitFor();
    await deny.waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('heading', { level: 1 }));
  });

  it('says who was faster when another user decides meanwhile, with the dialog open', async () => {
    const { wait } = await waitingRun(world, [approval({ title: 'Two people' })]);
    const [one, two] = [
      await pages.open(world.server, { path: '/waits' }),
      await pages.open(world.server, { path: '/waits' }),
    ];
    await one.page.getByRole('button', { name: 'Approve “Two people”' }).click();
    await one.page.getByRole('dialog').getByLabel('Comment').fill('Mine');
    await two.page.getByRole('button', { name: 'Deny “Two people”' }).click();
    await two.page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
    await two.page.getByText('Denied: “Two people”.').waitFor();
    const dialog = one.page.getByRole('dialog');
    await dialog.getByText('It was decided in between').waitFor();
    await dialog.getByText(`Denied by ${two.email}.`).waitFor();
    await dialog.getByText('It was not sent.').waitFor();
    expect(await dialog.getByLabel('Your comment').inputValue()).toBe('Mine');
    expect(await axe(one.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    expect((await world.client.rest('GET', `/waits/${wait.id}`)).body).toMatchObject({ answered_by: two.email });
  });

  it('says so as well when the other decision is only known from the refusal', async () => {
    const { page } = await pages.open(world.server, { path: '/workflows' });
    const socket = await cuttable(page);
    const { wait } = await waitingRun(world, [approval({ title: 'At once' })]);
    await page.goto('/waits');
    await page.getByRole('button', { name: 'Approve “At once”' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Comment').waitFor();
    await socket.cut();
    await page.getByText('The connection was lost.').waitFor();
    await answer(wait.id, { decision: 'denied', comment: 'Too much' });
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('It was decided in between').waitFor();
    await dialog.getByText(/^Denied by .*: “Too much”$/).waitFor();
    socket.restore();
    await section(page, 'Approvals').getByText('At once').waitFor({ state: 'detached' });
  });

  it('loses none that came while the connection was lost', async () => {
    const { page } = await pages.open(world.server, { path: '/workflows' });
    const socket = await cuttable(page);
    await page.goto('/waits');
    await page.getByRole('heading', { name: 'No run waits' }).waitFor();
    await socket.cut();
    await page.getByText('The connection was lost.').waitFor();
    const { wait } = await waitingRun(world, [approval({ title: 'Meanwhile' })]);
    socket.restore();
    await section(page, 'Approvals').getByText('Meanwhile').waitFor();
    await entry(page).getByText('1 pending').waitFor();
    await answer(wait.id, { decision: 'approved' });
    await page.getByRole('heading', { name: 'No run waits' }).waitFor();
  });
});

async function expectFocus(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}
