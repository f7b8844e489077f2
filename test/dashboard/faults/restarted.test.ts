import { describeInBrowser } from '../../support/browser/in-browser.js';
import { createStartedDatabase } from '../../support/database/database.js';
import { startTestServer } from '../../support/server.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('a service that is away for a moment', () => {
  const pages = usePages();

  it('gets a page whose code did not load in between as soon as it is back', async () => {
    const database = await createStartedDatabase();
    const first = await startTestServer({ database });
    const { page, complaints } = await pages.open(first);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await first.close();
    await page.getByText('The connection was lost.').waitFor();
    await page.getByRole('link', { name: 'Triggers' }).first().click();
    await page.getByText('The page loads as soon as the connection is back.').waitFor({ timeout: 20_000 });
    const again = await startTestServer({ database, env: { PORT: new URL(first.url).port } });
    await page.getByRole('heading', { name: 'Triggers', exact: true }).waitFor();
    complaints.length = 0;
    await page.close();
    await again.close();
    await database.drop();
  });
});
