import { StillClock } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { AppCalls } from './app-calls.js';
import { overWebSocket } from '../changes/listeners.js';
import { IntegrationWorld } from '../world.js';

const MINUTE = 60_000;

describe('a connection that has died', () => {
  let world: IntegrationWorld;
  let calls: AppCalls;
  beforeAll(async () => {
    const env = { CONTACT_EMAIL: 'ops@x.test', ALLOW_PRIVATE_NETWORK: 'true' };
    world = await IntegrationWorld.open({ env, clock: new StillClock() });
    calls = new AppCalls(world);
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const withKey = async (key = 'good-ada'): Promise<string> =>
    (await world.post('/integrations/connect', { type: 'key_app', credentials: { api_key: key } })).body.id as string;
  const withoutRenewal = async (type: string): Promise<string> => {
    world.provider.onToken = ({ form }) => {
      const answer = world.provider.issue(form);
      delete (answer.body as Record<string, unknown>).refresh_token;
      return answer;
    };
    const id = await world.connected('alice', type);
    forget();
    return id;
  };
  /** Forgets the requests of connecting. */
  const forget = () => (world.provider.probes.length = 0);
  const refreshes = () => world.provider.requests('refresh_token').length;
  const statusOf = async (id: string) => {
    const { status, status_reason = null } = await world.get(id);
    return [status, status_reason] as const;
  };
  const test = async (id: string) => (await world.post(`/integrations/${id}/test`)).body as unknown;

  describe('by key', () => {
    it('is disconnected once its application refuses the key, with mail, webhook and history', async () => {
      const id = await withKey();
      forget();
      const hook = { url: `${world.provider.url}/hook`, events: ['integration.disconnected'] };
      const webhook = (await world.post('/webhooks', hook)).body.id as string;
      const listening = overWebSocket(world.server, world.client.key!, { id, afterVersion: 1 });
      world.provider.onVerify = () => ({ status: 401 });
      world.provider.onCall = () => ({ status: 401, body: { error: 'no such key' } });
      const step = await calls.call(id);
      expect(step).toMatchObject({
        status: 'failed',
        attempt: 1,
        output: { status: 401 },
        error: { code: 'http_401' },
      });
      expect(await statusOf(id)).toEqual(['disconnected', 'key_refused']);
      expect(await world.history(id)).toEqual(['>connected:connected', 'connected>disconnected:key_refused']);
      expect([world.provider.calls.length, world.provider.probes.length]).toEqual([1, 1]);
      await until(() => listening.heard.length > 0);
      expect(listening.heard).toMatchObject([{ version: 2, status: 'DISCONNECTED', reason: 'key_refused' }]);
      listening.close();
      const { body } = await world.client.rest('GET', `/webhooks/${webhook}/deliveries`);
      expect(body.data).toMatchObject([{ type: 'integration.disconnected' }]);
      await world.client.rest('DELETE', `/webhooks/${webhook}`);
      await until(() =>
        world.server.logs.some((line) => line.includes(id) && line.includes('no longer accepts its API key')),
      );
      expect((await calls.call(id)).error).toMatchObject({ code: 'not_connected' });
      expect(world.provider.calls).toHaveLength(1);
    });

    it('is noticed by the next probe, once a minute has passed since the last one', async () => {
      const id = await withKey();
      forget();
      world.provider.onCall = () => ({ status: 401 });
      await calls.call(id);
      world.provider.onVerify = () => ({ status: 403 });
      await world.server.advance(MINUTE - 1);
      await calls.call(id);
      expect([world.provider.probes.length, await statusOf(id)]).toEqual([1, ['connected', null]]);
      await world.server.advance(1);
      await calls.call(id);
      expect([world.provider.probes.length, await statusOf(id)]).toEqual([2, ['disconnected', 'key_refused']]);
    });

    it.each([200, 404, 429, 500])('does not change if the probe is answered %i', async (status) => {
      const id = await withKey();
      forget();
      world.provider.onCall = () => ({ status: 401 });
      world.provider.onVerify = () => ({ status });
      for (let time = 0; time < 2; time += 1) {
        expect((await calls.call(id)).error).toEqual({ code: 'http_401', message: expect.any(String) });
        // A 429 of the probe delays the next call.
        await world.server.advance(1_000);
      }
      // That it failed counts for the minute.
      expect(world.provider.probes).toHaveLength(1);
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 1 });
    });

    it.each([200, 400, 403, 404])('is not probed after a response of %i', async (status) => {
      const id = await withKey();
      forget();
      world.provider.onCall = () => ({ status });
      await calls.call(id);
      expect(world.provider.probes).toEqual([]);
    });
  });

  describe('by OAuth', () => {
    it('continues after a renewal: the call is repeated in the same attempt, with the same Idempotency-Key', async () => {
      const id = await world.connected();
      forget();
      world.provider.endAccess('alice');
      expect(await calls.call(id)).toMatchObject({ status: 'succeeded', attempt: 1, output: { status: 200 } });
      const [first, second, ...more] = world.provider.calls;
      expect([more.length, refreshes(), world.provider.probes.length]).toEqual([0, 1, 0]);
      expect(second!.token).not.toBe(first!.token);
      expect([first!.idempotencyKey, second!.idempotencyKey]).toEqual([
        expect.stringMatching(/^run_\w+-0$/),
        first!.idempotencyKey,
      ]);
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    });

    it('expires once the call and the probe refuse the renewed token, too', async () => {
      const id = await world.connected();
      forget();
      world.provider.onCall = world.provider.onIdentity = () => ({ status: 401 });
      expect((await calls.call(id)).error?.code).toBe('http_401');
      expect([world.provider.calls.length, refreshes(), world.provider.probes.length]).toEqual([2, 1, 1]);
      expect(world.provider.probes).toEqual([world.provider.calls[1]!.token]);
      expect(await statusOf(id)).toEqual(['expired', 'refresh_refused']);
      expect((await world.history(id)).at(-1)).toBe('connected>expired:refresh_refused');
      await until(() =>
        world.server.logs.some((line) => line.includes(id) && line.includes('no longer accepts its access')),
      );
    });

    it('expires after the probe alone if nothing renews it', async () => {
      const id = await withoutRenewal('oauth_app');
      world.provider.endAccess('alice');
      expect((await calls.call(id)).error?.code).toBe('http_401');
      expect([world.provider.calls.length, refreshes(), world.provider.probes.length]).toEqual([1, 0, 1]);
      expect(await statusOf(id)).toEqual(['expired', 'refresh_refused']);
    });

    it('expires after a refused renewal, without a probe', async () => {
      const id = await world.connected();
      forget();
      world.provider.endAccess('alice');
      world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
      expect(await calls.call(id)).toMatchObject({ status: 'failed', attempt: 1, error: { code: 'not_connected' } });
      expect([world.provider.calls.length, world.provider.probes.length]).toEqual([1, 0]);
      expect(await statusOf(id)).toEqual(['expired', 'refresh_refused']);
    });

    it('is not probed if the renewal fails: the step is retried as after a network error', async () => {
      const id = await world.connected();
      forget();
      world.provider.endAccess('alice');
      world.provider.onToken = () => ({ status: 503 });
      const run = await calls.start(id);
      await until(async () => ((await calls.step(run))?.error ?? null) !== null);
      expect(await calls.step(run)).toMatchObject({ attempt: 1, error: { code: 'provider_unavailable' } });
      expect([world.provider.calls.length, refreshes(), world.provider.probes.length]).toEqual([1, 1, 0]);
      world.provider.onToken = undefined;
      await world.server.advance(MINUTE);
      expect(await calls.ended(run)).toMatchObject({ status: 'succeeded', attempt: 2 });
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    });

    it('fails only the step if one endpoint answers 401, and is probed at most once a minute', async () => {
      const id = await world.connected();
      forget();
      world.provider.onCall = () => ({ status: 401 });
      for (let time = 0; time < 3; time += 1) expect((await calls.call(id)).error?.code).toBe('http_401');
      expect([world.provider.calls.length, refreshes(), world.provider.probes.length]).toEqual([4, 1, 1]);
      await world.server.advance(MINUTE);
      await calls.call(id);
      expect([world.provider.calls.length, refreshes(), world.provider.probes.length]).toEqual([6, 2, 2]);
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    });

    it('renews again at once what was good in between', async () => {
      const id = await world.connected();
      forget();
      world.provider.onCall = () => ({ status: 401 });
      await calls.call(id);
      world.provider.onCall = undefined;
      await calls.call(id);
      world.provider.endAccess('alice');
      expect((await calls.call(id)).status).toBe('succeeded');
      expect(refreshes()).toBe(2);
    });

    it.each([
      ['403', { status: 403 }],
      ['404', { status: 404 }],
      ['429', { status: 429 }],
      ['500', { status: 500 }],
      ['garbage', { body: 'no JSON' }],
      ['nobody', { body: {} }],
    ])('changes nothing by a probe that is answered %s', async (_, answer) => {
      const id = await world.connected();
      world.provider.onCall = () => ({ status: 401 });
      world.provider.onIdentity = () => answer;
      expect((await calls.call(id)).error?.code).toBe('http_401');
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    });
  });

  describe('whose application cannot be asked', () => {
    const refuse = () => (world.provider.onCall = () => ({ status: 401 }));

    it('expires after two 401s in a row over a minute if nothing renews it', async () => {
      const id = await withoutRenewal('bare_app');
      refuse();
      await calls.call(id);
      await world.server.advance(MINUTE - 1);
      await calls.call(id);
      expect(await statusOf(id)).toEqual(['connected', null]);
      await world.server.advance(1);
      expect((await calls.call(id)).error?.code).toBe('http_401');
      expect(await statusOf(id)).toEqual(['expired', 'refresh_refused']);
      const { state } = await world.restart(id);
      await world.callback({ state, code: 'alice' }, { type: 'bare_app' });
      refuse();
      await calls.call(id);
      expect(await statusOf(id)).toEqual(['connected', null]);
    });

    it.each([200, 404])('starts counting again after a response of %i', async (status) => {
      const id = await withoutRenewal('bare_app');
      refuse();
      await calls.call(id);
      await world.server.advance(MINUTE);
      world.provider.onCall = () => ({ status });
      await calls.call(id);
      refuse();
      await calls.call(id);
      await world.server.advance(MINUTE - 1);
      await calls.call(id);
      expect(await statusOf(id)).toEqual(['connected', null]);
      await world.server.advance(1);
      await calls.call(id);
      expect(await statusOf(id)).toEqual(['expired', 'refresh_refused']);
    });

    it('stays connected as long as it can be renewed', async () => {
      const id = await world.connected('alice', 'bare_app');
      refuse();
      for (let time = 0; time < 3; time += 1) {
        await calls.call(id);
        await world.server.advance(MINUTE);
      }
      expect([await statusOf(id), refreshes()]).toEqual([['connected', null], 3]);
    });

    it('is reported as unverifiable by a test, and does not change', async () => {
      const id = await world.connected('alice', 'bare_app');
      forget();
      refuse();
      expect(await test(id)).toEqual({ ok: false, reason: 'unverifiable' });
      expect([world.provider.probes.length, refreshes()]).toEqual([0, 0]);
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    });
  });

  describe('that a person tests', () => {
    it('expires if its renewed token is refused, too', async () => {
      const id = await world.connected();
      forget();
      world.provider.onIdentity = () => ({ status: 401 });
      expect(await test(id)).toEqual({ ok: false, reason: 'refresh_refused' });
      expect([world.provider.probes.length, refreshes()]).toEqual([2, 1]);
      expect(await statusOf(id)).toEqual(['expired', 'refresh_refused']);
      expect(await test(id)).toEqual({ ok: false, reason: 'expired' });
    });

    it('expires if its renewal is refused', async () => {
      const id = await world.connected();
      world.provider.endAccess('alice');
      world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
      expect(await test(id)).toEqual({ ok: false, reason: 'refresh_refused' });
      expect(await statusOf(id)).toEqual(['expired', 'refresh_refused']);
    });

    it('works again after a renewal', async () => {
      const id = await world.connected();
      world.provider.endAccess('alice');
      expect(await test(id)).toEqual({ ok: true, reason: null });
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    });

    it.each([
      [403, 'verification_failed'],
      [500, 'provider_unavailable'],
    ])('stays connected by an answer of %i: %s', async (status, reason) => {
      const id = await world.connected();
      world.provider.onIdentity = () => ({ status });
      expect(await test(id)).toEqual({ ok: false, reason });
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    });

    it('is asked as often as the person wants, and takes no minute from the calls', async () => {
      const id = await withKey();
      forget();
      for (let time = 0; time < 3; time += 1) expect(await test(id)).toEqual({ ok: true, reason: null });
      expect(world.provider.probes).toHaveLength(3);
      world.provider.onCall = () => ({ status: 401 });
      await calls.call(id);
      expect(world.provider.probes).toHaveLength(4);
      expect(await test(id)).toEqual({ ok: true, reason: null });
    });
  });
});
