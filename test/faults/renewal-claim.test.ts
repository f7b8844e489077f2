import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { IntegrationWorld } from '../integrations/world.js';
import { type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { PausingProcess } from './support/pausing-process.js';

const HOUR = 3_600_000;

describe('the claim to renew a token (decision 0004)', () => {
  let world: IntegrationWorld;
  let second: TestServer;
  let outbound: Outbound;
  let processes: PausingProcess[];

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
    second = await world.another({ ROLES: 'api' });
    outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    processes = [world.server, second].map((server) => new PausingProcess(server, world.provider.url, outbound));
  });
  beforeEach(async () => {
    world.provider.reset();
    for (const process of processes) process.reset();
    await world.server.db.query('DELETE FROM integrations');
  });
  afterAll(async () => {
    await outbound.close();
    await second.close();
    await world.close();
  });

  const refreshes = () => world.provider.requests('refresh_token').length;
  const token = (process: number, id: string) =>
    processes[process]!.renewal.token(fromPublicId('int', id)!).then(({ credentials }) => credentials.accessToken);
  const byCall = (id: string): Promise<unknown> => token(1, id);
  const byWorker = (): Promise<unknown> => processes[1]!.renewal.renewDue(10);
  const CLAIMANTS: [string, (id: string) => Promise<unknown>][] = [
    ['call', byCall],
    ['worker', byWorker],
  ];

  /** An integration whose token has expired, and a second process that is about to claim it. */
  async function aboutToClaim(claim: (id: string) => Promise<unknown>) {
    const id = await world.connected();
    await world.server.advance(HOUR);
    const gate = Promise.withResolvers<void>();
    processes[1]!.gate = gate.promise;
    const late = claim(id);
    late.catch(() => undefined);
    await until(() => processes[1]!.arrived === 1);
    return { id, late, letGo: gate.resolve };
  }

  it.each(CLAIMANTS)('is not taken by a %s while another process holds it', async (_, claim) => {
    const { id, late, letGo } = await aboutToClaim(claim);
    const answered = Promise.withResolvers<void>();
    world.provider.onToken = async ({ form }) => answered.promise.then(() => world.provider.issue(form));
    const first = token(0, id);
    await until(() => refreshes() === 1);
    letGo();
    // Enough time for a second request to the provider to arrive.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(refreshes()).toBe(1);
    answered.resolve();
    const [renewed] = await Promise.all([first, late]);
    expect(world.provider.knows(renewed)).toBe(true);
    expect(await token(1, id)).toBe(renewed);
    expect(refreshes()).toBe(1);
  });

  it.each(CLAIMANTS)('is not taken by a %s whose knowledge is from before a renewal', async (_, claim) => {
    const { id, late, letGo } = await aboutToClaim(claim);
    const renewed = await token(0, id);
    letGo();
    await late;
    expect(refreshes()).toBe(1);
    expect(await token(1, id)).toBe(renewed);
    expect(world.provider.knows(renewed)).toBe(true);
  });

  it.each(CLAIMANTS)('is not taken by a %s whose knowledge is from before a failure', async (_, claim) => {
    const { id, late, letGo } = await aboutToClaim(claim);
    world.provider.onToken = () => ({ status: 500 });
    await expect(token(0, id)).rejects.toMatchObject({ code: 'provider_unavailable' });
    letGo();
    await late.catch(() => undefined);
    expect(refreshes()).toBe(1);
  });

  it('is not taken for an integration that was disconnected in between', async () => {
    const { id, late, letGo } = await aboutToClaim(byCall);
    await world.post(`/integrations/${id}/disconnect`);
    letGo();
    await expect(late).rejects.toMatchObject({ code: 'not_connected' });
    expect(refreshes()).toBe(0);
  });

  it('lets an answer that comes after its end change nothing that another renewed since', async () => {
    const id = await world.connected();
    await world.server.advance(HOUR);
    const slow = Promise.withResolvers<void>();
    world.provider.rotates = false;
    world.provider.onToken = async ({ form }) => {
      const isFirst = refreshes() === 1;
      const answer = world.provider.issue(form);
      if (isFirst) await slow.promise;
      return answer;
    };
    const first = token(0, id);
    await until(() => refreshes() === 1);
    await world.server.advance(20_000);
    const renewed = await token(1, id);
    expect(refreshes()).toBe(2);
    slow.resolve();
    expect(await first).toBe(renewed);
    expect(await token(0, id)).toBe(renewed);
    expect(refreshes()).toBe(2);
  });

  const statusOf = async (id: string) => (await world.client.rest('GET', `/integrations/${id}`)).body.status;

  it('ends no connection by a refusal while the process before may have the new tokens', async () => {
    const id = await world.connected();
    await world.server.advance(HOUR);
    const slow = Promise.withResolvers<void>();
    world.provider.onToken = async ({ form }) => {
      const isFirst = refreshes() === 1;
      const answer = world.provider.issue(form);
      if (isFirst) await slow.promise;
      return answer;
    };
    const first = token(0, id);
    await until(() => refreshes() === 1);
    await world.server.advance(20_000);
    // The refresh token is used up: the second process is refused.
    expect(await processes[1]!.renewal.renewDue(10)).toBe(1);
    expect(refreshes()).toBe(2);
    expect(await statusOf(id)).toBe('connected');
    slow.resolve();
    expect(world.provider.knows(await first)).toBe(true);
    expect(await statusOf(id)).toBe('connected');
    expect(await token(1, id)).toBe(await first);
  });

  it('ends no connection by a refusal that comes when another process has taken over', async () => {
    const id = await world.connected();
    await world.server.advance(HOUR);
    const [slow, slower] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.provider.onToken = async ({ form }) => {
      if (refreshes() === 1) return slow.promise.then(() => ({ status: 400, body: { error: 'invalid_grant' } }));
      const answer = world.provider.issue(form);
      return slower.promise.then(() => answer);
    };
    const first = token(0, id);
    first.catch(() => undefined);
    await until(() => refreshes() === 1);
    await world.server.advance(20_000);
    const second = processes[1]!.renewal.renewDue(10);
    await until(() => refreshes() === 2);
    slow.resolve();
    const { db } = world.server;
    const before = db.statements;
    // The first process has dealt with its refusal, and looks again and again for the second's end.
    await until(() => db.statements > before + 20);
    expect(await statusOf(id)).toBe('connected');
    slower.resolve();
    expect(await second).toBe(1);
    expect(world.provider.knows(await first)).toBe(true);
    expect(await statusOf(id)).toBe('connected');
  });

  it('ends the connection by the next refusal, where the process before has died', async () => {
    const id = await world.connected();
    await world.server.advance(HOUR);
    world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
    await world.server.db.query(
      `UPDATE integrations SET renewal_id = id, renewal_until = clock_now() - interval '1 s'`,
    );
    expect(await processes[1]!.renewal.renewDue(10)).toBe(1);
    expect(await statusOf(id)).toBe('connected');
    await world.server.advance(30_000);
    await processes[1]!.renewal.renewDue(10);
    expect(await statusOf(id)).toBe('expired');
  });
});
