import { Browser } from '../../support/browser/browser.js';
import { startTestServer } from '../../support/server.js';
import { oauthApp } from '../scripted-apps.js';
import { appsOf, IntegrationWorld, stateOf } from '../world.js';

describe('/connect/:ticket', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open({}, () => [
      { ...oauthApp('http://localhost:9', 'nasty_app'), name: `<img src=x onerror="alert('1')">&` },
    ]);
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  it('shows the requested access, and changes nothing when it is opened', async () => {
    const flow = await world.start('oauth_app', { label: 'Sales' });
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await fetch(flow.connectUrl, { method });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
      const page = await response.text();
      if (method === 'GET') {
        for (const word of ['Connect The oauth_app', 'Sales', '<code>read</code>', '<form method="post"'])
          expect(page).toContain(word);
        expect(page).not.toContain(flow.state);
      }
    }
    expect((await world.callback({ state: flow.state, code: 'alice' })).status).toBe(200);
  });

  it('binds the flow to the browser that continues', async () => {
    const flow = await world.start();
    const [own, other] = [new Browser(), new Browser()];
    const gone = await own.visit(flow.connectUrl, { form: {} });
    expect([gone.status, gone.headers.get('location')]).toEqual([303, flow.redirectUrl]);
    expect(gone.headers.get('set-cookie')).toMatch(/^connect=[\w-]{43}; .*HttpOnly; SameSite=Lax$/);

    const query = { state: flow.state, code: 'alice' };
    expect((await world.callback(query)).status).toBe(400);
    await other.visit((await world.start()).connectUrl, { form: {} });
    expect((await world.callback(query, { browser: other })).status).toBe(400);
    expect((await world.get(flow.id)).version).toBe(1);
    expect(world.provider.tokenRequests.length).toBe(0);
    expect((await world.callback(query, { browser: own })).status).toBe(200);
    expect((await world.get(flow.id)).status).toBe('connected');
  });

  it('works again in the same browser, and for two flows side by side', async () => {
    const [one, two] = [await world.start(), await world.start('other_app')];
    const browser = new Browser();
    for (const { connectUrl } of [one, two, one]) await browser.visit(connectUrl, { form: {} });
    expect((await world.callback({ state: one.state, code: 'a' }, { browser })).status).toBe(200);
    expect((await world.callback({ state: two.state, code: 'b' }, { browser, type: 'other_app' })).status).toBe(200);
  });

  it('binds the flow to the last browser that continued', async () => {
    const flow = await world.start();
    const [first, last] = [new Browser(), new Browser()];
    await first.visit(flow.connectUrl, { form: {} });
    await last.visit(flow.connectUrl, { form: {} });
    expect((await world.callback({ state: flow.state, code: 'a' }, { browser: first })).status).toBe(400);
    expect((await world.callback({ state: flow.state, code: 'a' }, { browser: last })).status).toBe(200);
  });

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://localhost:1' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('answers 403 to a form posted with %j', async (headers) => {
    const flow = await world.start();
    const response = await fetch(flow.connectUrl, { method: 'POST', redirect: 'manual', headers });
    expect([response.status, response.headers.get('location')]).toEqual([403, null]);
    expect((await world.callback({ state: flow.state, code: 'a' })).status).toBe(200);
  });

  it('is 404 for a ticket that is made up, used, superseded or ten minutes old', async () => {
    const visit = async (url: string) => {
      const [got, posted] = [await fetch(url), await new Browser().visit(url, { form: {} })];
      return [got.status, posted.status, posted.headers.get('location')];
    };
    const over = [404, 404, null];
    expect(await visit(`${world.server.baseUrl}/connect/${'a'.repeat(43)}`)).toEqual(over);
    const used = await world.start();
    await world.callback({ state: used.state, code: 'a' });
    expect(await visit(used.connectUrl)).toEqual(over);
    const superseded = await world.start();
    await world.restart(superseded.id);
    expect(await visit(superseded.connectUrl)).toEqual(over);
    const old = await world.start();
    expect((await fetch(old.connectUrl)).status).toBe(200);
    await world.server.advance(600_000);
    expect(await visit(old.connectUrl)).toEqual(over);
  });

  it('escapes the names of apps and labels, there and at the callback', async () => {
    const label = `"><script>alert(1)</script>`;
    const flow = await world.start('nasty_app', { label });
    const start = await (await fetch(flow.connectUrl)).text();
    const { page: end } = await world.callback({ state: flow.state, error: 'x' }, { type: 'nasty_app' });
    for (const page of [start, end]) expect(page).not.toMatch(/<img src=x|<script>|onerror="/);
    expect(start).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(end).toContain('&lt;img');
  });

  it('restricts the cookie to https and this host if the service has https', async () => {
    const apps = appsOf([oauthApp('http://localhost:9', 'oauth_app')]);
    const server = await startTestServer({
      apps,
      database: world.server.database,
      env: { BASE_URL: 'https://gate.example' },
    });
    try {
      const flow = await world.start();
      const local = world.server.baseUrl;
      const port = new URL(server.ws().replace('ws', 'http')).port;
      const response = await fetch(flow.connectUrl.replace(local, `http://localhost:${port}`), {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: 'https://gate.example' },
      });
      expect(response.headers.get('set-cookie')).toMatch(/^__Host-connect=[\w-]{43}; .*Path=\/; .*HttpOnly; Secure; /);
      expect(stateOf(response.headers.get('location')!)).toBe(flow.state);
    } finally {
      await server.close();
    }
  });
});
