import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { AppCalls } from '../integrations/tokens/app-calls.js';
import { scriptedApps } from '../integrations/scripted-apps.js';
import { IntegrationWorld } from '../integrations/world.js';
import { freePort } from '../support/http/free-port.js';
import { type TestServer } from '../support/server.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { PausingProcess } from './support/pausing-process.js';

describe('a dead connection that several processes use (decision 0020)', () => {
  let world: IntegrationWorld;
  let second: TestServer;
  let outbound: Outbound;
  let processes: PausingProcess[];
  let accountId: string;

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
    second = await world.another({ ROLES: 'api' });
    outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    processes = [world.server, second].map((server) => new PausingProcess(server, world.provider.url, outbound));
    accountId = (await world.server.db.query<{ id: string }>('SELECT id FROM accounts'))[0]!.id;
  });
  beforeEach(() => {
    world.provider.reset();
    for (const process of processes) process.reset();
  });
  afterAll(async () => {
    await outbound.close();
    await second.close();
    await world.close();
  });

  const withKey = async (): Promise<string> => {
    const { body } = await world.post('/integrations/connect', {
      type: 'key_app',
      credentials: { api_key: 'good-ada' },
    });
    world.provider.probes.length = 0;
    return body.id as string;
  };
  const connected = async (): Promise<string> => {
    const id = await world.connected();
    world.provider.probes.length = 0;
    return id;
  };
  /** A call through one of the processes, as a step makes it. @returns the status of the last answer. */
  const call = async (process: number, integrationId: string): Promise<number> => {
    const { signal } = new AbortController();
    const limits = { timeoutMs: 60_000, maxBytes: 1_000, trust: 'operator' } as const;
    const { status } = await processes[process]!.access.call<{ status: number }>(
      { accountId, hops: 1, signal },
      { integrationId, path: '/api/things' },
      (request) => outbound.request({ ...request, ...limits }),
    );
    return status;
  };
  const manyCalls = (id: string) => Promise.all(Array.from({ length: 20 }, (_, index) => call(index % 2, id)));
  const refreshes = () => world.provider.requests('refresh_token').length;
  const refuse = () => (world.provider.onCall = () => ({ status: 401 }));
  /** Lets the probe be answered once all who might make another have been answered 401 and have looked. */
  const slowly = (status: number) => {
    const answered = Promise.withResolvers<void>();
    const answer = () => answered.promise.then(() => ({ status, body: { data: { id: 'alice' } } }));
    world.provider.onVerify = world.provider.onIdentity = answer;
    return answered.resolve;
  };

  it('is probed once by 20 calls at the same time, and disconnected once', async () => {
    const id = await withKey();
    refuse();
    const answer = slowly(401);
    let settled = 0;
    const calls = Array.from({ length: 20 }, (_, index) => call(index % 2, id).finally(() => (settled += 1)));
    // All but the one that probes.
    await until(() => settled === 19);
    answer();
    expect(await Promise.all(calls)).toEqual(Array(20).fill(401));
    expect(world.provider.probes).toHaveLength(1);
    expect(await world.history(id)).toEqual(['>connected:connected', 'connected>disconnected:key_refused']);
  });

  it('is renewed and probed once by 20 calls at the same time', async () => {
    const id = await connected();
    refuse();
    expect(await manyCalls(id)).toEqual(Array(20).fill(401));
    expect([refreshes(), world.provider.probes.length]).toEqual([1, 1]);
    expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
  });

  it('is not renewed by a call that gets a 401 with a new token before the first call with it has been answered', async () => {
    const id = await connected();
    const answered = Promise.withResolvers<void>();
    let calls = 0;
    world.provider.onCall = async () => {
      calls += 1;
      // The second call is the first one's repetition with the new token.
      if (calls === 2) await answered.promise;
      return { status: 401 };
    };
    const first = call(0, id);
    await until(() => calls === 2);
    expect(await call(1, id)).toBe(401);
    answered.resolve();
    expect(await first).toBe(401);
    expect([refreshes(), calls]).toEqual([1, 3]);
  });

  it('is renewed after a 401 although it was renewed a moment before, because it was due', async () => {
    const id = await connected();
    await world.server.db.query(`UPDATE integrations SET access_expires_at = clock_now() WHERE id = $1`, [
      fromPublicId('int', id),
    ]);
    let calls = 0;
    world.provider.onCall = () => ({ status: (calls += 1) === 1 ? 401 : 200 });
    expect(await call(0, id)).toBe(200);
    expect([refreshes(), calls, world.provider.probes.length]).toEqual([2, 2, 0]);
  });

  it('is not probed by a process that was stopped before it could, and finds that another has', async () => {
    const id = await withKey();
    refuse();
    const gate = Promise.withResolvers<void>();
    processes[1]!.gate = gate.promise;
    const late = call(1, id);
    await until(() => processes[1]!.arrived === 1);
    await call(0, id);
    gate.resolve();
    await late;
    expect(world.provider.probes).toHaveLength(1);
  });

  it('stays connected where it was reconnected while the old key was refused', async () => {
    const id = await withKey();
    refuse();
    let reconnected = false;
    world.provider.onVerify = async () => {
      if (reconnected) return { status: 200 };
      reconnected = true;
      await world.post(`/integrations/${id}/reconnect`, { credentials: { api_key: 'good-ada' } });
      return { status: 401 };
    };
    await call(0, id);
    expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
  });

  it('stays connected while another process may be about to store newer tokens', async () => {
    const id = await connected();
    refuse();
    const claim = (seconds: number) =>
      world.server.db.query(
        `UPDATE integrations SET renewal_id = id, renewal_until = clock_now() + $2 * interval '1 s' WHERE id = $1`,
        [fromPublicId('int', id), seconds],
      );
    world.provider.onIdentity = async () => {
      await claim(15);
      return { status: 401 };
    };
    await call(0, id);
    expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    await world.server.advance(60_000);
    world.provider.onIdentity = () => ({ status: 401 });
    await call(1, id);
    expect(await world.get(id)).toMatchObject({ status: 'expired', status_reason: 'refresh_refused', version: 3 });
  });

  it('is noticed by the step that is executed again, where the first worker died between renewal and probe', async () => {
    const id = await connected();
    const folder = mkdtempSync(join(tmpdir(), 'apps-'));
    const appsFile = join(folder, 'apps.json');
    writeFileSync(appsFile, JSON.stringify(scriptedApps(world.provider.url)));
    const worker = await ServiceProcess.start({
      DATABASE_URL: world.server.database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      BASE_URL: world.server.baseUrl,
      PORT: String(await freePort()),
      APPS_FILE: appsFile,
      ROLES: 'worker',
    });
    world.provider.onIdentity = () => ({ status: 401 });
    // The renewed token's first call is never answered.
    const never = new Promise<never>(() => undefined);
    world.provider.onCall = () => (world.provider.calls.length === 2 ? never : { status: 401 });
    const run = await new AppCalls(world).start(id);
    await until(() => world.provider.calls.length === 2);
    await worker.kill();
    expect([refreshes(), world.provider.probes.length]).toEqual([1, 0]);
    expect(await world.get(id)).toMatchObject({ status: 'connected' });
    const next = await world.another({ ROLES: 'worker' });
    try {
      expect(await new AppCalls(world).ended(run)).toMatchObject({ status: 'failed', error: { code: 'http_401' } });
    } finally {
      await next.close();
      rmSync(folder, { recursive: true });
    }
    const keys = world.provider.calls.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual(Array(3).fill(`${run}-0`));
    expect([refreshes(), world.provider.probes.length]).toEqual([1, 1]);
    expect(await world.get(id)).toMatchObject({ status: 'expired', status_reason: 'refresh_refused', version: 3 });
  });
});
