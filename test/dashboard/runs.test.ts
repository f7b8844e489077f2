import { type Page, type Response } from 'playwright-core';
import { fromPublicId, newUuid, toPublicId } from '../../src/platform/ids/ids.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { axe } from './support/axe.js';
import { cuttable } from './support/connect-world.js';
import { usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

describeInBrowser('runs in a browser', () => {
  let world: RunWorld;
  const pages = usePages();

  beforeAll(async () => {
    world = await RunWorld.open();
    // Once, so that no test waits for what the first page of a browser costs.
    await (await pages.open(world.server, { path: '/runs' })).close();
  });
  afterEach(() => {
    world.reply = () => ({ body: { ok: true } });
  });
  afterAll(() => world.close());

  async function dashboard(path: string, options: object = {}): Promise<Page> {
    const opened = await pages.open(world.server, { path, ...options });
    return opened.page;
  }

  const wait = { name: 'wait', kind: 'delay', config: { seconds: 3_600 } };

  /** A run of these actions. @returns its id and its workflow's. */
  async function fired(
    actions: readonly object[],
    body: unknown = {},
  ): Promise<{ run: string; workflow: string; hook: string }> {
    const { id: workflow, hook } = await world.workflow(actions);
    return { run: await world.fire(hook, body), workflow, hook };
  }

  const step = (page: Page, name: string) => page.getByRole('list', { name: 'Steps' }).getByRole('button', { name });

  // The longest have more time than others, for machines that do much else.
  it('a run that waits says until when, and is canceled', async () => {
    const { run } = await fired([world.call('first'), wait, world.call('last')]);
    const page = await dashboard(`/runs/${run}`);
    await page.getByText(/^It continues at \w+ \d+, \d+, [\d:]+ \(in \d+ (?:hr|min)\.\)\.$/).waitFor();
    await step(page, 'first').getByText('Succeeded').waitFor();
    await step(page, 'wait').click();
    await page.getByRole('region', { name: 'Input of wait' }).getByText('3600').waitFor();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    const asked = page.getByRole('dialog', { name: 'Cancel this run?' });
    await asked.getByText('It ends at once, without further steps.').waitFor();
    expect(await axe(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('Ada stopped it.').waitFor();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel run' }).count()).toBe(0);
    expect((await world.run(run)).status).toBe('canceled');
  });

  it('a failed run says where and why, and is retried without doing again what was done', async () => {
    let locked = true;
    world.reply = ({ url }) => (url === '/reserve' && locked ? { status: 422, body: { why: '<b>locked</b>' } } : {});
    const { run } = await fired([world.call('look up'), world.call('reserve')], { order: 7 });
    const page = await dashboard(`/runs/${run}`);
    await page.getByText('Failed at “reserve”').waitFor();
    await page.getByRole('region', { name: 'Output of reserve' }).getByText('<b>locked</b>').waitFor();
    expect(await axe(page)).toEqual([]);
    locked = false;
    const lookedUp = () => world.received.filter(({ url }) => url === '/look%20up' || url === '/look up').length;
    const before = lookedUp();
    await page.getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry this run?' });
    await dialog.getByText('The first step, which succeeded, is carried over and not repeated').waitFor();
    await dialog.getByRole('button', { name: 'Retry run' }).click();
    await page.waitForURL((url) => url.pathname !== `/runs/${run}`);
    await step(page, 'look up').getByText('carried over').waitFor();
    await step(page, 'reserve').getByText('Succeeded').waitFor();
    await page.getByRole('main').getByRole('status').getByText('Succeeded').waitFor();
    expect(lookedUp()).toBe(before);
    await page.getByRole('link', { name: 'the run before' }).click();
    await page.getByText('Failed at “reserve”').waitFor();
    const retried = page.getByRole('main').locator('dl > div').filter({ hasText: 'Retried' });
    await retried.getByText('Succeeded').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('It was retried before').waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('a failed run starts over where that is wanted', async () => {
    world.reply = ({ url }) => (url === '/pay' ? { status: 422 } : {});
    const { run } = await fired([world.call('order'), world.call('pay')]);
    const page = await dashboard(`/runs/${run}`);
    await page.getByRole('button', { name: 'Run again from the start' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run this again from the start?' });
    await dialog.getByText('It starts from the first action: requests and emails are sent again.').waitFor();
    expect(await axe(page)).toEqual([]);
    const ordered = () => world.received.filter(({ url }) => url === '/order').length;
    const before = ordered();
    await dialog.getByRole('button', { name: 'Run again from the start' }).click();
    await page.waitForURL((url) => url.pathname !== `/runs/${run}`);
    // Until its own run is there, the page shows the one before.
    await page.getByRole('link', { name: 'the run before' }).waitFor();
    await page.getByText('Failed at “pay”').waitFor();
    expect(await step(page, 'order').getByText('carried over').count()).toBe(0);
    expect(ordered()).toBe(before + 1);
  });

  it('steps come and end before one’s eyes; what they brought is asked for by who opens them', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const large = 'brought by the first one';
    world.reply = async ({ url }) => {
      if (url === '/slow') await promise;
      return { body: url === '/slow' ? { done: true } : { large } };
    };
    const { run } = await fired([world.call('first'), world.call('slow')], null);
    const page = await dashboard('/runs');
    const heard = answersTo(page);
    await page.goto(`/runs/${run}`);
    await step(page, 'slow').getByText('Running').waitFor();
    // The answer to the page, and two while the step is under way.
    for (let look = 0; look < 3; look += 1) await page.waitForResponse(isQuery('Run'));
    await step(page, 'slow').click();
    await page.getByRole('region', { name: 'Input of slow' }).getByText(world.targetUrl).waitFor();
    expect(await heard(large)).toBe(0);
    expect(await page.getByRole('region', { name: /^Output of/ }).count()).toBe(0);
    await step(page, 'first').click();
    await page.getByRole('region', { name: 'Output of first' }).getByText(large).waitFor();
    await page.waitForResponse(isQuery('Run'));
    resolve();
    await step(page, 'slow').getByText('Succeeded').waitFor();
    await page.getByRole('region', { name: 'Output of slow' }).getByText('"done"').waitFor();
    await page.getByRole('main').getByRole('status').getByText('Succeeded').waitFor();
    expect(await heard(large)).toBe(1);
  });

  it('a hidden page does not fetch its run, and shows the current state when it is visible again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.reply = async () => {
      await promise;
      return { body: null };
    };
    const { run } = await fired([world.call('first'), world.call('second'), wait]);
    const page = await dashboard('/runs');
    await page.clock.install();
    await page.goto(`/runs/${run}`);
    await step(page, 'first').getByText('Running').waitFor();
    await page.waitForResponse(isQuery('Run'));
    await show(page, false);
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.postData() ?? ''));
    await page.clock.runFor(20_000);
    expect(asked.filter((text) => text.includes('query Run('))).toEqual([]);
    resolve();
    await until(async () => (await world.run(run)).steps.length === 3);
    await show(page, true);
    await step(page, 'wait').getByText('Running').waitFor();
  });

  it('a run that ended while the connection was lost is right once it is back', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.reply = async () => {
      await promise;
      return { body: { back: true } };
    };
    const { run } = await fired([world.call('only')]);
    const page = await dashboard('/runs');
    const socket = await cuttable(page);
    await page.goto(`/runs/${run}`);
    await step(page, 'only').getByText('Running').waitFor();
    await step(page, 'only').click();
    await page.getByRole('region', { name: 'Input of only' }).waitFor();
    await page.route('**/graphql', (route) => route.fulfill({ status: 503, body: '' }));
    await socket.cut();
    await page.getByText('The connection was lost.').waitFor();
    resolve();
    await world.ended(run);
    await page.unroute('**/graphql');
    socket.restore();
    await page.getByRole('main').getByRole('status').getByText('Succeeded').waitFor();
    await page.getByRole('region', { name: 'Output of only' }).getByText('"back"').waitFor();
  });

  it('a test run ends with all of its steps, whichever part of the page receives its end first', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.reply = async () => {
      await promise;
      return { body: { tried: true } };
    };
    const { id } = await world.workflow([world.call('first'), world.call('second')]);
    const page = await dashboard('/workflows');
    await withoutEvents(page, 'ChangesOfRun');
    await page.goto(`/workflows/${id}`);
    await page.getByRole('button', { name: 'Test run' }).first().click();
    await page.getByRole('button', { name: 'Run test' }).click();
    await step(page, 'first').getByText('Running').waitFor();
    resolve();
    await step(page, 'second').getByText('Succeeded').waitFor();
    await step(page, 'first').getByText('Succeeded').waitFor();
    await step(page, 'second').click();
    await page.getByRole('region', { name: 'Output of second' }).getByText('"tried"').waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('a run that stands for missed times says for which', async () => {
    const { workflow } = await fired([]);
    const uuid = newUuid(world.server.clock.now());
    await world.server.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, status_reason, input, created_at, finished_at)
       SELECT $1, w.account_id, w.id, 'schedule', 'skipped', 'missed', $3, now(), now() FROM workflows w WHERE w.id = $2`,
      [
        uuid,
        fromPublicId('wf', workflow),
        JSON.stringify({ missed: 9, first: '2026-11-20T09:00:00.000Z', last: '2026-11-20T17:00:00.000Z' }),
      ],
    );
    const page = await dashboard(`/runs/${toPublicId('run', uuid)}`);
    await page
      .getByText('This stands for 9 times between Nov 20, 2026, 09:00:00 and Nov 20, 2026, 17:00:00.')
      .waitFor();
  });

  it('a run that is not there is said to be so', async () => {
    const page = await dashboard('/runs/run_00000000000000000000000000');
    await page.getByRole('heading', { name: 'There is no such run' }).waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('axe finds nothing in %s at %i px, and nothing is too wide', async (colorScheme, width) => {
    const { run } = await fired([world.call('x'.repeat(60)), wait], { text: 'y'.repeat(400) });
    const page = await dashboard('/runs', { colorScheme, width });
    const isNotWider = async () => expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page
      .getByText(/Waiting until/)
      .first()
      .waitFor();
    expect(await axe(page)).toEqual([]);
    await isNotWider();
    await page.goto(`/runs/${run}`);
    await page.getByText(/^It continues at/).waitFor();
    await step(page, 'x'.repeat(60)).click();
    await page.getByRole('region', { name: /^Output of/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await isNotWider();
  });
});

/** Whether an answer is that to a query of the page, by its name. */
function isQuery(name: string): (response: Response) => boolean {
  return (response) => response.request().postData()?.includes(`query ${name}(`) ?? false;
}

/** Listens to all that the service tells a page from now on. @returns how many answers and events hold a text. */
function answersTo(page: Page): (text: string) => Promise<number> {
  const told: Promise<string>[] = [];
  page.on('response', (response) => {
    // Of a page that is left meanwhile there is no body.
    if (response.url().endsWith('/graphql')) told.push(response.text().catch(() => ''));
  });
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => void told.push(Promise.resolve(String(payload))));
  });
  return async (text) => (await Promise.all(told)).filter((one) => one.includes(text)).length;
}

/** Keeps the events of a subscription from a page; to be called before it loads. */
async function withoutEvents(page: Page, subscription: string): Promise<void> {
  await page.routeWebSocket('**/graphql', (socket) => {
    const service = socket.connectToServer();
    const kept = new Set<string>();
    socket.onMessage((message) => {
      const { id, payload } = JSON.parse(String(message));
      if (payload?.operationName === subscription) kept.add(id);
      service.send(message);
    });
    service.onMessage((message) => {
      const { id, type } = JSON.parse(String(message));
      if (type !== 'next' || !kept.has(id)) socket.send(message);
    });
  });
}

/** What a browser does when one leaves a tab or comes back to it. */
async function show(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    isVisible ? 'visible' : 'hidden',
  );
}
