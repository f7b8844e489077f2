import { createOutbound, type Outbound } from '../../../src/platform/http/outbound/outbound.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { type TokenRenewal } from '../../../src/features/integrations/tokens/token-renewal.js';
import { type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { type Answer } from '../scripted-provider.js';
import { IntegrationWorld } from '../world.js';
import { renewalOf } from './renewal-of.js';
import { StillClock } from '../../support/clock.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('renewing access tokens', () => {
  let world: IntegrationWorld;
  let second: TestServer;
  let outbound: Outbound;
  let renewals: TokenRenewal[];

  // Without the worker's own renewals, except where they are what is tested.
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' }, clock: new StillClock() });
    second = await world.another({ ROLES: 'api' });
    outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    renewals = [world.server, second].map((server) => renewalOf(server, world, outbound));
  });
  beforeEach(async () => {
    world.provider.reset();
    // Connections of an earlier test would become due in a later one, whose clock is ahead.
    await world.server.db.query('DELETE FROM integrations');
  });
  afterAll(async () => {
    await outbound.close();
    await second.close();
    await world.close();
  });

  const token = (id: string, process = 0) =>
    renewals[process]!.token(fromPublicId('int', id)!).then(({ credentials }) => credentials.accessToken);
  const refreshes = () => world.provider.requests('refresh_token').length;
  const renewDue = async () => {
    while ((await renewals[0]!.renewDue(10)) > 0);
  };
  /** Long enough that all who asked at the same time have read what there is: a pool serves in the order of asking. */
  const allHaveRead = async () => {
    await Promise.all([world.server, second].map(({ db }) => db.query('SELECT 1')));
    await new Promise((resolve) => setTimeout(resolve, 300));
  };
  const slowly = () => {
    world.provider.onToken = async ({ form }) => {
      const answer = world.provider.issue(form);
      await allHaveRead();
      return answer;
    };
  };

  it('uses a token that is valid for a minute without renewal', async () => {
    const id = await world.connected();
    const first = await token(id);
    await world.server.advance(HOUR - 90_000);
    expect(await token(id)).toBe(first);
    await world.server.advance(45_000);
    expect(await token(id)).not.toBe(first);
    expect(refreshes()).toBe(1);
  });

  it('renews once for 20 simultaneous calls in two processes, and gives all the new token', async () => {
    const id = await world.connected();
    const old = await token(id);
    slowly();
    await world.server.advance(HOUR);
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => token(id, index % 2)));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(old);
    expect(world.provider.knows(tokens[0]!)).toBe(true);
    expect(refreshes()).toBe(1);
  });

  it('stores a rotated refresh token before any caller gets the access token', async () => {
    const id = await world.connected();
    for (let round = 0; round < 3; round += 1) {
      await world.server.advance(HOUR);
      const [one, two] = await Promise.all([token(id, 0), token(id, 1)]);
      expect(one).toBe(two);
      const sent = world.provider.requests('refresh_token').map(({ form }) => form.get('refresh_token'));
      expect(new Set(sent).size).toBe(round + 1);
    }
    expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
  });

  it('keeps the refresh token and scopes if a renewal returns none', async () => {
    const id = await world.connected();
    world.provider.rotates = false;
    for (let round = 0; round < 2; round += 1) {
      await world.server.advance(HOUR);
      await token(id);
    }
    const [one, two] = world.provider.requests('refresh_token').map(({ form }) => form.get('refresh_token'));
    expect(one).toBe(two);
    expect((await world.get(id)).scopes).toEqual(['read', 'write']);
  });

  it('expires the integration when the provider answers invalid_grant, and does not ask again', async () => {
    const id = await world.connected();
    world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
    await world.server.advance(HOUR);
    const answers = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => token(id, index % 2)));
    expect(answers.map((answer) => (answer as PromiseRejectedResult).reason.code)).toEqual(
      Array(6).fill('not_connected'),
    );
    expect(await world.get(id)).toMatchObject({ status: 'expired', status_reason: 'refresh_refused', version: 3 });
    await world.server.advance(DAY);
    await renewDue();
    expect(refreshes()).toBe(1);
    expect((await world.post(`/integrations/${id}/test`)).body).toEqual({ ok: false, reason: 'expired' });
  });

  it.each<[string, Answer | 'cut']>([
    ['status 500', { status: 500 }],
    ['status 503 and invalid_grant', { status: 503, body: { error: 'invalid_grant' } }],
    ['status 429', { status: 429, body: {} }],
    ['invalid_client', { status: 401, body: { error: 'invalid_client' }, headers: { 'www-authenticate': 'Basic' } }],
    ['garbage', { body: 'no' }],
    ['a cut connection', 'cut'],
  ])('never expires by %s, and fails once for all that wait', async (_, answer) => {
    const id = await world.connected();
    world.provider.onToken = async (__, response) => {
      await allHaveRead();
      if (answer !== 'cut') return answer;
      response.destroy();
      return undefined;
    };
    await world.server.advance(HOUR);
    const answers = await Promise.allSettled(Array.from({ length: 10 }, (__, index) => token(id, index % 2)));
    expect(answers.map((failed) => (failed as PromiseRejectedResult).reason.code)).toEqual(
      Array(10).fill('provider_unavailable'),
    );
    expect(refreshes()).toBe(1);
    expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    world.provider.onToken = undefined;
    expect(world.provider.knows(await token(id))).toBe(true);
  });

  it('continues with the current token while it is valid, even if it could not be renewed', async () => {
    const id = await world.connected();
    const old = await token(id);
    world.provider.onToken = () => ({ status: 500 });
    await world.server.advance(HOUR - 30_000);
    for (let call = 0; call < 3; call += 1) expect(await token(id)).toBe(old);
    expect(refreshes()).toBe(1);
    await world.server.advance(30_000);
    await expect(token(id)).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  it('renews a token that lives less than a minute once per call, not in a loop', async () => {
    world.provider.extra = { expires_in: 30 };
    const id = await world.connected();
    slowly();
    const tokens = await Promise.all([token(id, 0), token(id, 1)]);
    expect([new Set(tokens).size, refreshes()]).toEqual([1, 1]);
  });

  it('waits longer after each failure: 30 s, 1, 2, 4 minutes, an hour at most', async () => {
    const id = await world.connected();
    world.provider.onToken = () => ({ status: 500 });
    await world.server.advance(HOUR);
    const waits: number[] = [];
    for (let failure = 1; failure <= 10; failure += 1) {
      await renewDue();
      expect(refreshes()).toBe(failure);
      const [row] = await world.server.db.query<{ renew_at: Date }>(`SELECT renew_at FROM integrations WHERE id = $1`, [
        fromPublicId('int', id),
      ]);
      const wait = row!.renew_at.getTime() - world.server.clock.now().getTime();
      waits.push(Math.round(wait / 30_000));
      await world.server.advance(wait - 1);
      await renewDue();
      expect(refreshes()).toBe(failure);
      await world.server.advance(1);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 120, 120, 120]);
    await world.client.rest('DELETE', `/integrations/${id}`);
  });

  it('renews unused tokens ahead of time: an hour’s token, and one of 30 days 8 days early', async () => {
    const [hour, none] = [await world.connected(), await world.connected('alice', 'bare_app')];
    world.provider.extra = { expires_in: 30 * 86_400 };
    const month = await world.connected();
    world.provider.extra = {};
    const endless = await world.connected();
    const ends = async (id: string) => Date.parse((await world.get(id)).expires_at);
    const before = { hour: await ends(hour), month: await ends(month) };
    await world.server.advance(0.5 * HOUR);
    await renewDue();
    expect(refreshes()).toBe(0);
    await world.server.advance(0.31 * HOUR);
    world.provider.extra = { expires_in: 3_600 };
    await renewDue();
    expect(refreshes()).toBe(2);
    expect(await ends(hour)).toBeGreaterThan(before.hour);
    expect(await ends(month)).toBe(before.month);
    for (const id of [hour, none]) await world.client.rest('DELETE', `/integrations/${id}`);

    world.provider.extra = { expires_in: 30 * 86_400 };
    await world.server.advance(22 * DAY - 0.8 * HOUR);
    await renewDue();
    expect(refreshes()).toBe(3);
    expect(await ends(month)).toBeGreaterThan(before.month + 20 * DAY);
    expect(await world.get(endless)).toMatchObject({ status: 'connected', expires_at: null });
    expect(await world.get(month)).toMatchObject({ version: 2 });
  });

  it('discards and revokes new tokens of a connection that ended in between', async () => {
    const id = await world.connected();
    slowly();
    await world.server.advance(HOUR);
    const asked = token(id).catch((error: unknown) => (error as { code: string }).code);
    await until(() => refreshes() === 1);
    await world.post(`/integrations/${id}/disconnect`);
    expect(await asked).toBe('not_connected');
    await until(() => world.provider.revoked.length === 4);
    expect(await world.get(id)).toMatchObject({ status: 'disconnected', version: 3 });
    expect(world.provider.revoked.filter((known) => world.provider.knows(known))).toEqual([]);
  });

  it('takes over a claim whose process died', async () => {
    const id = await world.connected();
    await world.server.advance(HOUR);
    await world.server.db.query(
      `UPDATE integrations SET renewal_id = gen_random_uuid(), renewal_until = $2 WHERE id = $1`,
      [fromPublicId('int', id), new Date(world.server.clock.now().getTime() + 500)],
    );
    const taken = token(id);
    // Enough time for a request to the provider, if there were one.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(refreshes()).toBe(0);
    await world.server.advance(500);
    expect(world.provider.knows(await taken)).toBe(true);
  });

  it('holds no connection and no transaction while the provider does not respond', async () => {
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((user) => world.connected(user)));
    const released: PromiseWithResolvers<void> = Promise.withResolvers();
    world.provider.onToken = async ({ form }) => released.promise.then(() => world.provider.issue(form));
    await world.server.advance(HOUR);
    const tokens = ids.map((id) => token(id));
    await until(() => refreshes() === 6);
    const open = await second.db.query(
      `SELECT state, query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    );
    expect(open).toEqual([]);
    expect((await world.client.rest('GET', '/integrations')).status).toBe(200);
    released.resolve();
    await Promise.all(tokens);
  });

  it('stores a rotated token even if the database was away for a moment', async () => {
    const id = await world.connected();
    await world.server.advance(HOUR);
    world.provider.onToken = async ({ form }) => {
      const answer = world.provider.issue(form);
      await second.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      return answer;
    };
    await expect(token(id)).resolves.toMatch(/^at-alice/);
    world.provider.onToken = undefined;
    await world.server.advance(HOUR);
    expect(world.provider.knows(await token(id))).toBe(true);
  });
});
