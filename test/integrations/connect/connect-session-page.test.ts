import { newCheckedText } from '../../../src/features/api-keys/key-text.js';
import { Browser } from '../../support/browser/browser.js';
import { overWebSocket } from '../changes/listeners.js';
import { appsOf } from '../world.js';
import { SessionWorld, SHOP } from './session-world.js';
import { wrongSecret } from '../../support/wrong-secret.js';
import { until } from '../../support/until.js';
import { StillClock } from '../../support/clock.js';

let world: SessionWorld;
beforeAll(async () => {
  world = await SessionWorld.open({
    apps: (baseUrl) =>
      appsOf([
        {
          type: 'tenant_app',
          name: '<b>Tenant</b> & App',
          auth: {
            kind: 'api_key',
            placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
            verify: { method: 'GET', url: `${baseUrl}/sandbox/me?tenant={tenant}`, ok: [200] },
          },
          api_base_url: baseUrl,
          parameters: { tenant: { description: 'Your subdomain', pattern: '^[a-z]{1,9}$' } },
        },
      ]),
  });
});
afterAll(() => world.close());

const total = async () => (await world.owner.rest('GET', '/integrations')).body.meta.total as number;
const look = async (url: string) => {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, headers: response.headers, page: await response.text() };
};

describe('the page of a connect session', () => {
  it('changes nothing when it is opened, however often', async () => {
    const { connect_url } = await world.session();
    const before = await total();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await fetch(connect_url, { method });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
    }
    expect(await total()).toBe(before);
  });

  it('sends a person to the application by its button, bound to the browser, and then shows the connection', async () => {
    const made = await world.session({ type: 'sandbox_oauth', label: 'Sales' });
    const [browser, other] = [new Browser(), new Browser()];
    const { page } = await look(made.connect_url);
    for (const words of ['Connect Sandbox (OAuth 2)', 'Sales', '<code>contacts.read</code>', 'Continue to']) {
      expect(page).toContain(words);
    }
    const gone = await browser.visit(made.connect_url, { form: { type: 'sandbox_oauth' } });
    expect([gone.status, gone.headers.get('set-cookie')]).toEqual([303, expect.stringMatching(/^connect=[\w-]{43};/)]);

    const consent = new URL(gone.headers.get('location')!);
    const form = { ...Object.fromEntries(consent.searchParams), decision: 'grant' };
    const decided = await browser.visit(consent.origin + consent.pathname, { form });
    const callback = decided.headers.get('location')!;
    expect((await other.visit(callback)).status).toBe(400);
    expect((await browser.visit(callback)).status).toBe(200);

    const after = await look(made.connect_url);
    expect([after.status, after.page.includes('Sandbox (OAuth 2) is connected')]).toEqual([200, true]);
    expect((await look(`${made.connect_url}?again=1`)).page).toContain('Continue to Sandbox');
  });

  it('lets the holder of the token receive what a person does on the page', async () => {
    const { client, made } = await world.browser({ type: 'sandbox_api_key' });
    await new Browser().visit(made.connect_url, { form: { type: 'sandbox_api_key', api_key: 'sandbox_valid_key' } });
    const { body } = await world.owner.rest('GET', '/integrations?type=sandbox_api_key&per_page=1');
    const listening = overWebSocket(world.server, client.key!, { id: body.data[0].id });
    await until(() => listening.heard.length > 0);
    expect(listening.heard[0]!.status).toBe('CONNECTED');
    listening.close();
  });

  it('takes a key for an API-key application, refuses a bad one with a clear message, and allows another attempt', async () => {
    const made = await world.session({ type: 'sandbox_api_key', return_url: `${SHOP}/back?a=1` });
    expect((await look(made.connect_url)).page).toMatch(/<input\s+type="password"\s+name="api_key"/);
    const browser = new Browser();
    const before = await total();
    const refused = await browser.visit(made.connect_url, { form: { type: 'x', api_key: 'sandbox_wrong_key' } });
    const text = await refused.text();
    expect([refused.status, text.includes('refused the API key'), text.includes('sandbox_wrong_key')]).toEqual([
      422,
      true,
      false,
    ]);
    const empty = await browser.visit(made.connect_url, { form: { type: 'x', api_key: '' } });
    expect([empty.status, (await empty.text()).includes('API key: must not be empty')]).toEqual([400, true]);
    expect(await total()).toBe(before);
    const taken = await browser.visit(made.connect_url, { form: { type: 'x', api_key: 'sandbox_valid_key' } });
    expect([taken.status, taken.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^https:\/\/shop\.example\/back\?a=1&integration_id=int_\w+&status=connected$/),
    ]);
    expect((await look(made.connect_url)).page).toMatch(/href="https:\/\/shop\.example\/back\?a=1&amp;integration_id=/);
  });

  it('asks for the parameters that the session leaves open, and keeps the typed values', async () => {
    const open = await world.session({ type: 'tenant_app' });
    expect((await look(open.connect_url)).page).toContain('Your subdomain');
    const browser = new Browser();
    const form = { type: 'tenant_app', api_key: 'sandbox_valid_key', 'parameter.tenant': '"><script>' };
    const refused = await browser.visit(open.connect_url, { form });
    const text = await refused.text();
    expect([refused.status, text.includes('Your subdomain: must match')]).toEqual([400, true]);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(text).not.toMatch(/<b>|<script>/);
    const taken = await browser.visit(open.connect_url, { form: { ...form, 'parameter.tenant': 'acme' } });
    expect([taken.status, taken.headers.get('location')]).toEqual([303, new URL(open.connect_url).pathname]);

    const fixed = await world.session({ type: 'tenant_app', parameters: { tenant: 'acme' } });
    expect((await look(fixed.connect_url)).page).not.toContain('Your subdomain');
  });

  it('offers the configured types, with a search, if the session names none', async () => {
    const { connect_url } = await world.session({});
    const { page } = await look(connect_url);
    expect(page).toContain('href="?type=sandbox_oauth"');
    expect(page).toContain('href="?type=sandbox_api_key"');
    expect(page).not.toContain('href="?type=google_calendar"');
    const found = (await look(`${connect_url}?search=OAUTH`)).page;
    expect([...found.matchAll(/href="\?type=(\w+)"/g)].map(([, type]) => type)).toEqual(['sandbox_oauth']);
    expect((await look(`${connect_url}?search=${encodeURIComponent('"><b>')}`)).page).not.toContain('"><b>');
    const chosen = (await look(`${connect_url}?type=sandbox_api_key`)).page;
    expect(chosen).toContain('Connect Sandbox (API key)');
    expect(chosen).toContain('Choose another application');
    expect((await look(`${connect_url}?type=google_calendar`)).page).toContain('Connect an application');
    const posted = await new Browser().visit(connect_url, { form: { type: 'no_such_app' } });
    expect([posted.status, (await posted.text()).includes('Connect an application')]).toEqual([400, true]);
  });

  it('reconnects the integration of the session', async () => {
    const id = await world.connected();
    const { connect_url } = await world.session({ integration_id: id });
    const form = { type: 'sandbox_oauth', api_key: 'sandbox_valid_key' };
    expect((await new Browser().visit(connect_url, { form })).status).toBe(303);
    expect((await world.owner.rest('GET', `/integrations/${id}`)).body.version).toBe(2);
    expect((await look(connect_url)).page).toContain('is connected');
  });

  it.each([[{ origin: 'https://evil.example' }], [{ origin: 'null' }], [{ 'sec-fetch-site': 'cross-site' }]])(
    'answers 403 to a form posted with %j',
    async (headers) => {
      const { connect_url } = await world.session({ type: 'sandbox_api_key' });
      const before = await total();
      const body = new URLSearchParams({ type: 'sandbox_api_key', api_key: 'sandbox_valid_key' });
      const response = await fetch(connect_url, { method: 'POST', redirect: 'manual', headers, body });
      expect(response.status).toBe(403);
      expect(await total()).toBe(before);
    },
  );

  it('is 404 for a made-up or mistyped ticket, and once the session has expired', async () => {
    const { connect_url } = await world.session({ expires_in: 60 });
    const visit = async (url: string) => [
      (await look(url)).status,
      (await new Browser().visit(url, { form: { type: 'sandbox_oauth' } })).status,
    ];
    expect(await visit(`${world.server.baseUrl}/connect/${newCheckedText()}`)).toEqual([404, 404]);
    const ticket = connect_url.split('/').at(-1)!;
    expect(await visit(connect_url.replace(ticket, wrongSecret(ticket)))).toEqual([404, 404]);
    const before = await total();
    await world.server.advance(60_000);
    expect(await visit(connect_url)).toEqual([404, 404]);
    expect(await total()).toBe(before);
  });
});

describe('the form of a session', () => {
  it('shares the rate limit of the session’s API requests', async () => {
    const slow = await SessionWorld.open({
      env: { RATE_LIMITS: 'on', RATE_LIMIT_WRITE: '1' },
      clock: new StillClock(),
    });
    try {
      const { connect_url } = await slow.session({ type: 'sandbox_api_key' });
      const statuses: number[] = [];
      for (let tries = 0; tries < 10 && !statuses.includes(429); tries += 1) {
        const form = { type: 'sandbox_api_key', api_key: `wrong_${tries}` };
        statuses.push((await new Browser().visit(connect_url, { form })).status);
      }
      expect(statuses).toEqual(expect.arrayContaining([422, 429]));
      expect((await slow.owner.rest('POST', '/connect_sessions', { body: {} })).status).toBe(201);
    } finally {
      await slow.close();
    }
  });
});
