import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Browser } from '../support/browser/browser.js';
import { StillClock } from '../support/clock.js';
import { type RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { wrongSecret } from '../support/wrong-secret.js';
import { awaitConnection, connectKey, connectOAuth, decideAtSandbox, openConnectionWorld } from './connection-world.js';
import { integrationsOf, waiting, waitsOf } from './wait-world.js';

let world: RunWorld;
let hook: string;
beforeAll(async () => {
  world = await openConnectionWorld();
  ({ hook } = await world.workflow([awaitConnection({ type: '{{ trigger.body.type }}' })]));
});
afterAll(() => world.close());

let users = 0;
/** A run that waits for a new end user's connection. */
async function asked(type = 'sandbox_oauth', user = `user_${(users += 1)}`) {
  const run = await world.fire(hook, { type, user });
  const [wait] = await waiting(world, run);
  return { run, user, url: wait.connect_url as string, wait };
}

const look = async (url: string) => {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, headers: response.headers, page: await response.text() };
};
/** Presses the button, and decides at the sandbox. */
async function press(url: string, browser: Browser, decision = 'grant'): Promise<Response> {
  const gone = await browser.visit(url, { form: { type: 'sandbox_oauth' } });
  return browser.visit(await decideAtSandbox(gone.headers.get('location')!, { decision }));
}

describe('the page behind connect_url', () => {
  it('shows the form of a connect session, and changes nothing when it is opened', async () => {
    const { user, url, run } = await asked();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await fetch(url, { method });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
    }
    const { page } = await look(url);
    for (const words of ['Connect Sandbox (OAuth 2)', '<code>contacts.read</code>', 'Continue to'])
      expect(page).toContain(words);
    expect(await integrationsOf(world, user)).toEqual([]);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
  });

  it('connects for the reference of the wait, and the run goes on', async () => {
    const { user, url, run } = await asked();
    expect((await press(url, new Browser())).status).toBe(200);
    const [made] = await integrationsOf(world, user);
    expect(made).toMatchObject({ type: 'sandbox_oauth', status: 'connected', reference: user });
    expect((await world.ended(run)).steps[0].output).toEqual({ integration_id: made.id });
    const after = await look(url);
    expect([after.status, after.page.includes('Sandbox (OAuth 2) is connected')]).toEqual([200, true]);
    expect(after.page).not.toContain('again');
    const repeated = await new Browser().visit(url, { form: { type: 'sandbox_oauth' } });
    expect([repeated.status, (await repeated.text()).includes('is connected')]).toEqual([200, true]);
    expect(await integrationsOf(world, user)).toHaveLength(1);
  });

  it('goes on with the same integration after attempts that failed', async () => {
    const { user, url, run } = await asked();
    const browser = new Browser();
    await press(url, browser, 'deny');
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    const [denied] = await integrationsOf(world, user);
    expect(denied).toMatchObject({ status: 'disconnected', status_reason: 'access_denied' });
    await browser.visit(url, { form: { type: 'sandbox_oauth' } });
    await world.server.advance(601_000);
    await until(async () => (await integrationsOf(world, user))[0].status_reason === 'authorization_timed_out');
    expect((await press(url, new Browser())).status).toBe(200);
    expect(await integrationsOf(world, user)).toMatchObject([{ id: denied.id, status: 'connected' }]);
    expect((await world.ended(run)).status).toBe('succeeded');
  });

  it('makes one connection of two browsers at once, and of two runs', async () => {
    const { user, url, run } = await asked();
    const other = await asked('sandbox_oauth', user);
    const browsers = [new Browser(), new Browser(), new Browser(), new Browser()];
    const gone = await Promise.all(
      browsers.map((browser, place) =>
        browser.visit(place % 2 === 0 ? url : other.url, { form: { type: 'sandbox_oauth' } }),
      ),
    );
    expect(gone.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    await Promise.all(
      gone.map(async ({ headers }, place) => browsers[place]!.visit(await decideAtSandbox(headers.get('location')!))),
    );
    expect(await integrationsOf(world, user)).toMatchObject([{ status: 'connected' }]);
    expect((await world.ended(run)).status).toBe('succeeded');
    expect((await world.ended(other.run)).status).toBe('succeeded');
  });

  it('makes none where the end user connects elsewhere while the form is on its way', async () => {
    const { user, url, run } = await asked('sandbox_api_key');
    const holder = new pg.Client({ connectionString: world.server.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    // The lock of everything that concerns the connection of an end user.
    const lock = `SELECT pg_advisory_xact_lock(hashtext(account_id::text), hashtext('connection ' || integration_type || ' ' || reference))
                  FROM waits WHERE run_id = $1`;
    await holder.query(lock, [fromPublicId('run', run)]);
    const blocked = async (): Promise<number> => {
      const { rows } = await holder.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows[0]!.count;
    };
    const connecting = connectKey(world.client, { reference: user });
    await until(async () => (await blocked()) === 1);
    const form = { type: 'sandbox_api_key', api_key: 'sandbox_valid_key' };
    const pressing = new Browser().visit(url, { form });
    await until(async () => (await blocked()) === 2);
    await holder.query('COMMIT');
    await holder.end();
    const id = await connecting;
    const answer = await pressing;
    expect([answer.status, (await answer.text()).includes('is connected')]).toEqual([200, true]);
    expect(await integrationsOf(world, user)).toMatchObject([{ id }]);
    expect((await world.ended(run)).steps[0].output).toEqual({ integration_id: id });
  });

  it('asks for a key and for parameters, and keeps what was typed', async () => {
    const { user, url, run } = await asked('tenant');
    expect((await look(url)).page).toMatch(/Your company[^]*<input\s+type="password"\s+name="api_key"/);
    const form = { type: 'tenant', api_key: 'any_key_of_tenant', 'parameter.company': 'A"B' };
    const refused = await new Browser().visit(url, { form });
    const text = await refused.text();
    expect([refused.status, text.includes('Your company: must match')]).toEqual([400, true]);
    expect(text).toContain('value="A&quot;B"');
    const taken = await new Browser().visit(url, { form: { ...form, 'parameter.company': 'acme' } });
    expect([taken.status, taken.headers.get('location')]).toEqual([303, new URL(url).pathname]);
    expect(await integrationsOf(world, user)).toMatchObject([{ type: 'tenant', reference: user }]);
    expect((await world.ended(run)).status).toBe('succeeded');
  });

  it('refuses a wrong key with a message, and then takes the right one', async () => {
    const { url, run } = await asked('sandbox_api_key');
    const refused = await new Browser().visit(url, { form: { api_key: 'sandbox_wrong_key' } });
    expect([refused.status, (await refused.text()).includes('refused the API key')]).toEqual([422, true]);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    await new Browser().visit(url, { form: { api_key: 'sandbox_valid_key' } });
    expect((await world.ended(run)).status).toBe('succeeded');
  });

  it('reconnects what the end user had, of several the one that connected last', async () => {
    const user = `user_${(users += 1)}`;
    await connectOAuth(world.client, user);
    const last = await connectOAuth(world.client, user);
    for (const { id } of await integrationsOf(world, user))
      await world.client.rest('POST', `/integrations/${id}/disconnect`);
    const { url, run } = await asked('sandbox_oauth', user);
    await press(url, new Browser());
    expect((await world.ended(run)).steps[0].output).toEqual({ integration_id: last });
    expect(await integrationsOf(world, user)).toHaveLength(2);
  });

  it('starts over where the account has deleted the integration of an attempt', async () => {
    const { user, url, run } = await asked();
    await press(url, new Browser(), 'deny');
    const [denied] = await integrationsOf(world, user);
    expect((await world.client.rest('DELETE', `/integrations/${denied.id}`)).status).toBe(204);
    await press(url, new Browser());
    expect((await world.ended(run)).status).toBe('succeeded');
  });

  it.each([[{ origin: 'https://evil.example' }], [{ origin: 'null' }], [{ 'sec-fetch-site': 'cross-site' }]])(
    'answers 403 to a form posted with %j',
    async (headers) => {
      const { url, user } = await asked('sandbox_api_key');
      const body = new URLSearchParams({ api_key: 'sandbox_valid_key' });
      const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body });
      expect(response.status).toBe(403);
      expect(await integrationsOf(world, user)).toEqual([]);
    },
  );

  it('is 404 for a made-up token, and for that of another purpose', async () => {
    const { url } = await asked();
    const token = url.split('/').at(-1)!;
    for (const wrong of [wrongSecret(token), `${token}A`, 'nothing']) {
      const path = url.replace(token, wrong);
      expect((await look(path)).status).toBe(404);
      expect((await new Browser().visit(path, { form: {} })).status).toBe(404);
    }
    expect((await look(url.replace('/connect/waits/', '/approvals/'))).status).toBe(404);
  });

  it('is 410 once the run is canceled or the time is over', async () => {
    const canceled = await asked();
    await world.client.rest('POST', `/runs/${canceled.run}/cancel`);
    const expired = await asked();
    await press(expired.url, new Browser(), 'deny');
    await world.server.advance(86_401_000);
    for (const { url } of [canceled, expired]) {
      expect((await look(url)).status).toBe(410);
      expect((await new Browser().visit(url, { form: { type: 'sandbox_oauth' } })).status).toBe(410);
    }
    expect(await world.ended(expired.run)).toMatchObject({ status: 'failed', error: { code: 'wait_expired' } });
  });
});

describe('the page before the run waits', () => {
  it('says that nothing is needed yet', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world.reply = async () => {
      await held;
      return { body: {} };
    };
    const flow = await world.workflow([
      world.call('mail', { body: { url: '{{ waits.access.connect_url }}' } }),
      awaitConnection(),
    ]);
    const run = await world.fire(flow.hook, { user: 'early' });
    await until(() => world.received.some(({ url }) => url === '/mail'));
    const url = JSON.parse(world.received.find((sent) => sent.url === '/mail')!.body).url as string;
    const { status, page } = await look(url);
    expect([status, page.includes('Nothing is needed yet')]).toEqual([200, true]);
    expect((await new Browser().visit(url, { form: { type: 'sandbox_oauth' } })).status).toBe(200);
    expect(await waitsOf(world, run)).toEqual([]);
    release();
    const [wait] = await waiting(world, run);
    expect(wait.connect_url).toBe(url);
    expect((await look(url)).page).toContain('Continue to Sandbox');
  });
});

describe('the form of a wait', () => {
  it('has the rate limit of a connect session', async () => {
    const env = { RATE_LIMITS: 'on', RATE_LIMIT_WRITE: '2' };
    const slow = await openConnectionWorld({ env, clock: new StillClock() });
    try {
      const flow = await slow.workflow([awaitConnection({ type: 'sandbox_api_key', reference: 'ada' })]);
      const [wait] = await waiting(slow, await slow.fire(flow.hook));
      const statuses: number[] = [];
      for (let tries = 0; tries < 20 && !statuses.includes(429); tries += 1) {
        const form = { api_key: `wrong_${tries}` };
        statuses.push((await new Browser().visit(wait.connect_url, { form })).status);
      }
      expect(statuses).toEqual(expect.arrayContaining([422, 429]));
    } finally {
      await slow.close();
    }
  });
});
