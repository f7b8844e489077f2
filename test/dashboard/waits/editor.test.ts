import { type Locator, type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { ActionCards } from '../action-cards.js';
import { look } from '../looks.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('actions that wait, in the editor', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open();
  });
  afterAll(() => world.close());

  /** The editor of a new workflow with these actions. */
  async function editor(actions: readonly object[]): Promise<{ page: Page; cards: ActionCards; id: string }> {
    const { id } = await world.workflow(actions);
    const { page } = await pages.open(world.server, { path: `/workflows/${id}` });
    await page.getByRole('heading', { name: 'Actions' }).waitFor();
    return { page, cards: new ActionCards(page), id };
  }

  const saved = async (id: string): Promise<any[]> =>
    (await world.client.rest('GET', `/workflows/${id}/actions`)).body.actions;

  async function chooseApp(page: Page, card: Locator): Promise<void> {
    await card.getByRole('combobox', { name: 'Application' }).click();
    await page.getByRole('option', { name: 'Sandbox (API key)', exact: true }).click();
  }

  it('tells the connections of several end users apart', async () => {
    const connect = `mutation ($reference: String!) { connectIntegration(input: { type: "sandbox_api_key",
      reference: $reference, credentials: { api_key: "sandbox_valid_key" } }) { ... on Integration { id } } }`;
    for (const reference of ['user-1', 'user-2']) await world.client.graphql(connect, { reference });
    const { page, cards } = await editor([]);
    const call = await cards.add('App request', 'call');
    await call.getByRole('combobox', { name: 'Connection', exact: true }).click();
    await page.getByRole('option', { name: 'sandbox_api_key · user-1', exact: true }).waitFor();
    await page.getByRole('option', { name: 'sandbox_api_key · user-2', exact: true }).waitFor();
  });

  it('saves what stands in their forms, and shows it again', async () => {
    const { page, cards, id } = await editor([]);
    const ask = await cards.add('Wait for approval', 'ask');
    await ask.getByLabel('Title', { exact: true }).fill('Refund {{ trigger.body.amount }} €?');
    await ask.getByLabel('Details', { exact: true }).fill('Two lines\nof text');
    await ask.getByRole('button', { name: 'Add approver' }).click();
    await ask.getByLabel('Approver 1', { exact: true }).fill('grace@example.com');
    await ask.getByLabel('Wait at most', { exact: true }).fill('2');
    await cards.choose(ask, 'Unit', 'hours');
    await cards.choose(ask, 'If denied', 'The run continues; the decision is “denied”');
    await cards.choose(ask, 'Without a decision in time', 'It counts as denied');

    const paid = await cards.add('Wait for callback', 'paid');
    await paid.getByLabel('Wait at most', { exact: true }).fill('90');
    await cards.choose(paid, 'Unit', 'seconds');

    const link = await cards.add('Wait for connection', 'link');
    await chooseApp(page, link);
    await link.getByLabel('Reference', { exact: true }).fill('{{ trigger.body.user }}');

    const call = await cards.add('App request', 'call');
    await call.getByText('The end user’s, by reference').click();
    await chooseApp(page, call);
    await call.getByText(`The path follows ${world.server.baseUrl}/sandbox.`).waitFor();
    await call.getByLabel('Reference', { exact: true }).fill('{{ trigger.body.user }}');
    await cards.choose(call, 'If the user has none that is connected', 'The run waits until the user connects');
    await call.getByLabel('Wait at most', { exact: true }).fill('7');
    await call.getByLabel('Path', { exact: true }).fill('/v1/items');
    expect(await axe(page)).toEqual([]);
    await cards.save();
    const expected = [
      {
        name: 'ask',
        kind: 'wait_for_approval',
        config: {
          title: 'Refund {{ trigger.body.amount }} €?',
          text: 'Two lines\nof text',
          approvers: ['grace@example.com'],
          timeout_seconds: 7_200,
          on_denied: 'continue',
          on_timeout: 'deny',
        },
      },
      { name: 'paid', kind: 'wait_for_callback', config: { timeout_seconds: 90 } },
      {
        name: 'link',
        kind: 'wait_for_connection',
        config: { type: 'sandbox_api_key', reference: '{{ trigger.body.user }}', timeout_seconds: 86_400 },
      },
      {
        name: 'call',
        kind: 'app_request',
        config: {
          connection: { type: 'sandbox_api_key', reference: '{{ trigger.body.user }}' },
          if_missing: 'wait',
          wait_seconds: 604_800,
          method: 'GET',
          path: '/v1/items',
        },
      },
    ];
    expect(await saved(id)).toMatchObject(expected);

    await page.reload();
    await cards.become('1 ask', '2 paid', '3 link', '4 call');
    await cards.openAll();
    const card = (name: string) => page.getByRole('listitem').filter({ has: page.locator(`input[value="${name}"]`) });
    expect(await card('ask').getByLabel('Wait at most', { exact: true }).inputValue()).toBe('2');
    expect(await card('ask').getByRole('combobox', { name: 'Unit' }).inputValue()).toBe('hours');
    expect(await card('call').getByRole('combobox', { name: 'Application' }).inputValue()).toBe('Sandbox (API key)');
    expect(await card('call').getByLabel('Wait at most', { exact: true }).inputValue()).toBe('7');
    await page.getByText('All changes are saved').waitFor();
    for (const [scheme, width] of [
      ['light', 820],
      ['dark', 390],
    ] as const) {
      await look(page, scheme, width);
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });

  it('the URLs of all waits are values in every action, also in earlier ones, and follow a new name', async () => {
    const { page, cards, id } = await editor([
      { name: 'order', kind: 'http_request', config: { method: 'POST', url: 'https://pay.example/orders' } },
      { name: 'paid', kind: 'wait_for_callback', config: {} },
      { name: 'link', kind: 'wait_for_connection', config: { type: 'sandbox_api_key', reference: 'u' } },
    ]);
    await cards.openAll();
    const order = page.getByRole('listitem').filter({ has: page.locator('input[value="order"]') });
    await order.getByRole('button', { name: 'Add header' }).click();
    await order.getByLabel('Name of header 1').fill('x-callback');
    await order.getByRole('button', { name: 'Insert a value into Value of header 1' }).click();
    const values = page.getByRole('dialog', { name: 'Insert a value into Value of header 1' });
    await values.getByRole('option', { name: /^waits\.link\.connect_url/ }).waitFor();
    expect(await values.getByRole('option', { name: /^steps\./ }).count()).toBe(0);
    await values.getByRole('option', { name: /^waits\.paid\.url/ }).click();
    const paid = page.getByRole('listitem').filter({ has: page.locator('input[value="paid"]') });
    await paid.getByText('{{ waits.paid.url }}').waitFor();
    await paid.getByLabel('Name', { exact: true }).fill('payment');
    await page.keyboard.press('Tab');
    await page.getByText('1 placeholder still says “paid”.').waitFor();
    await page.getByRole('button', { name: 'Change to “payment”' }).click();
    await cards.save();
    expect((await saved(id))[0].config.headers).toEqual({ 'x-callback': '{{ waits.payment.url }}' });
  });

  it('shows what is missing or refused at its field', async () => {
    const { page, cards } = await editor([]);
    const call = await cards.add('App request', 'call');
    await call.getByText('The end user’s, by reference').click();
    await page.getByRole('button', { name: 'Save actions' }).click();
    await call.getByText('Must be chosen.').waitFor();
    await chooseApp(page, call);
    await call.getByLabel('Path', { exact: true }).fill('/v1/items');
    const ask = await cards.add('Wait for approval', 'ask');
    const first = page.getByRole('listitem').filter({ has: page.locator('input[value="call"]') });
    await ask.getByLabel('Wait at most', { exact: true }).fill('8');
    await page.getByRole('button', { name: 'Save actions' }).click();
    await ask.getByText('Must be a whole number from 60 to 604,800, or one placeholder.').waitFor();
    expect(await ask.getByLabel('Title', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await first.getByLabel('Reference', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    // Away from buttons with tooltips.
    await page.mouse.move(0, 0);
    expect(await axe(page)).toEqual([]);
    await first.getByText('One connection').click();
    expect(await first.getByLabel('Reference', { exact: true }).count()).toBe(0);
  });
});
