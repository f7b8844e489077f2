import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { until } from '../../support/until.js';
import { Account } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the editor on a low screen', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it.each([false, true])('the menu of kinds is used by keyboard, with other actions: %s', async (withOthers) => {
    const person = await signedIn(server);
    const actions = ['one', 'two', 'three'].map((name) => ({ name, kind: 'DELAY', config: { seconds: 1 } }));
    const id = await new Account(person.client).workflow('Low', withOthers ? actions : []);
    const { page } = await pages.open(server, { path: `/workflows/${id}/actions`, as: person, width: 640 });
    await page.setViewportSize({ width: 640, height: 400 });
    const add = page.getByRole('button', { name: 'Add action' });
    await add.focus();
    await page.keyboard.press('Enter');
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    await until(async () => {
      const { height } = (await page.getByRole('menu').boundingBox())!;
      return height >= 160 && height <= 400;
    });
    for (let index = 0; index < (await items.count()); index += 1) {
      await page.keyboard.press('ArrowDown');
      const focused = page.locator('[role=menuitem]:focus');
      await focused.waitFor();
      await until(async () => {
        const box = await focused.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= 400 && box.height >= 40;
      });
    }
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).waitFor();
  });
});
