import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../support/http/client.js';
import { type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { type From, type Heard, type Listening, overSse, overWebSocket } from './listeners.js';
import { IntegrationWorld, type Started } from '../world.js';

/** `?wait=` as a listener: asks again after each response, until it has received `connected`. */
const overWait = (server: TestServer, key: string, { id }: From): Listening => {
  const client = new Client(server.url, key);
  const heard: Heard[] = [];
  let closed = false;
  const ask = async (): Promise<string | undefined> => {
    for (let version = 0; !closed && heard.at(-1)?.status !== 'CONNECTED';) {
      const { status, body } = await client.rest('GET', `/integrations/${id}?wait=30&after_version=${version}`);
      if (status !== 200) return String(status);
      if (body.version <= version) continue;
      version = body.version;
      heard.push({ id: '', version, status: body.status.toUpperCase(), reason: null, integrationId: body.id });
    }
    return undefined;
  };
  return { heard, ended: ask(), close: () => void (closed = true) };
};

const DOORS = { WebSocket: overWebSocket, SSE: overSse, '?wait=': overWait };

/** Registers the tests: each timing of each API is raced `rounds` times. */
export function raceListeners(rounds: number): void {
  describe('a listener and the callback it waits for', () => {
    let world: IntegrationWorld;
    let servers: [TestServer, TestServer];

    beforeAll(async () => {
      world = await IntegrationWorld.open({ env: { RATE_LIMITS: 'off' } });
      servers = [world.server, await world.another({ RATE_LIMITS: 'off' })];
    });
    afterAll(async () => {
      await servers[1].close();
      await world.close();
    });

    const key = () => world.client.key!;
    const grant = async ({ state }: Started) =>
      expect((await world.callback({ state, code: 'alice' })).status).toBe(200);

    /** Expects that each received `connected` once, in the order of versions. */
    async function expectHeard(listeners: Listening[]): Promise<void> {
      const connected = ({ heard }: Listening) => heard.filter(({ status }) => status === 'CONNECTED').length;
      await until(() => listeners.every((listener) => connected(listener) > 0));
      // A duplicate would arrive right after.
      await sleep(100);
      for (const listener of listeners) {
        listener.close();
        expect(connected(listener)).toBe(1);
        const versions = listener.heard.map(({ version }) => version);
        expect([[1, 2], [2]]).toContainEqual(versions);
      }
    }

    describe.each(Object.entries(DOORS))('over %s', (_, listen) => {
      it(`receives connected when it comes before the callback, ${rounds} times in each of two processes`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const flow = await world.start();
          const listeners = servers.map((server) => listen(server, key(), { id: flow.id }));
          await until(() => listeners.every(({ heard }) => heard.length === 1));
          await grant(flow);
          await expectHeard(listeners);
          expect(listeners.map(({ heard }) => heard.length)).toEqual([2, 2]);
        }
      });

      it(`receives connected when it comes during the callback, ${rounds} times`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const flow = await world.start();
          const granted = sleep(Math.random() * 15).then(() => grant(flow));
          const listeners: Listening[] = [];
          for (let number = 0; number < 6; number += 1) {
            listeners.push(listen(servers[number % 2]!, key(), { id: flow.id }));
            await sleep(Math.random() * 8);
          }
          await granted;
          await expectHeard(listeners);
        }
      });

      it(`receives connected when it comes after the callback, ${rounds} times`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const flow = await world.start();
          await grant(flow);
          const listeners = servers.map((server) => listen(server, key(), { id: flow.id }));
          await expectHeard(listeners);
          expect(listeners.map(({ heard }) => heard.length)).toEqual([1, 1]);
        }
      });

      it(`receives connected even if no NOTIFY arrives around the commit, ${rounds} times`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const flow = await world.start();
          const listeners = servers.map((server) => listen(server, key(), { id: flow.id }));
          await until(() => listeners.every(({ heard }) => heard.length === 1));
          const cut = () =>
            world.server.db.query(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'workflow-gateway listen'`,
            );
          if (round % 2 === 0) await cut();
          await Promise.all([grant(flow), sleep(Math.random() * 20).then(cut)]);
          await expectHeard(listeners);
        }
      });
    });

    it('is received by a listener of the whole account, once per change, while other listeners come and go', async () => {
      const everything = servers.map((server) => overWebSocket(server, key(), {}));
      await sleep(300);
      const flows = await Promise.all(Array.from({ length: rounds }, () => world.start()));
      const passers = flows.map(({ id }, index) => overSse(servers[index % 2]!, key(), { id }));
      await Promise.all(flows.map(grant));
      await expectHeard(passers);
      for (const listener of everything) {
        const { heard } = listener;
        await until(() => heard.length >= 2 * rounds);
        await sleep(100);
        listener.close();
        const told = heard.map(({ integrationId, version }) => `${integrationId} ${version}`);
        expect(told.toSorted()).toEqual(flows.flatMap(({ id }) => [`${id} 1`, `${id} 2`]).toSorted());
      }
    });
  });
}
