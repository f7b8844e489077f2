import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Observer } from '../faults/support/observer.js';
import { scriptedApps } from '../integrations/scripted-apps.js';
import { ScriptedProvider } from '../integrations/scripted-provider.js';
import { stateOf } from '../integrations/world.js';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { demandFiles } from './open-files.js';
import { overSse, overWait, overWebSocket } from './doors.js';
import { Listener } from './listener.js';

const DOORS = [
  { name: 'WebSocket', open: overWebSocket },
  { name: 'SSE', open: overSse },
  { name: 'WebSocket', open: overWebSocket },
  { name: 'SSE', open: overSse },
  { name: '?wait=', open: overWait },
];
const FLOWS = 4;
/** Listeners that attach at the same time. */
const AT_ONCE = 100;
/** Pending, connected, and reconnected twice. */
const LAST_VERSION = 4;
/** A key may have 100 long polls in a process; one in `DOORS.length` listeners uses one. */
const LISTENERS_PER_KEY = 90 * DOORS.length;

/** Registers the test: this many listeners in two processes, one of which is killed. */
export function waitAtScale(count: number): void {
  describe(`${count} listeners, two processes, one callback`, () => {
    let database: TestDatabase;
    let sql: Observer;
    let provider: ScriptedProvider;
    let folder: string;
    let doomed: ServiceProcess;
    let left: ServiceProcess;
    let ports: [number, number];
    let client: Client;
    let keys: string[];
    const listeners: Listener[] = [];

    beforeAll(async () => {
      demandFiles(count + 1_000);
      database = await createTestDatabase();
      sql = await Observer.open(database.url);
      provider = await ScriptedProvider.start();
      folder = mkdtempSync(join(tmpdir(), 'waiting-'));
      const appsFile = join(folder, 'apps.json');
      writeFileSync(appsFile, JSON.stringify(scriptedApps(provider.url)));
      ports = [await freePort(), await freePort()];
      const env = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
        APPS_FILE: appsFile,
        BASE_URL: `http://localhost:${ports[1]}`,
      };
      [doomed, left] = (await Promise.all(
        ports.map((port) => ServiceProcess.start({ ...env, PORT: String(port) })),
      )) as [ServiceProcess, ServiceProcess];
      keys = await keysOfOneAccount(sql, Math.ceil(count / LISTENERS_PER_KEY));
      client = new Client(env.BASE_URL, keys[0]);
    });
    afterAll(async () => {
      for (const listener of listeners) listener.stop();
      await Promise.all([doomed.kill(), left.kill()]);
      await provider.stop();
      rmSync(folder, { recursive: true });
      await sql.close();
      await database.drop();
    });

    /** Starts a flow of a new or an existing integration. */
    const start = async (id?: string): Promise<{ id: string; state: string }> => {
      const [path, body] = id === undefined ? ['connect', { type: 'oauth_app' }] : [`${id}/reconnect`, {}];
      const answer = await client.rest('POST', `/integrations/${path}`, { body });
      return { id: answer.body.integration_id, state: stateOf(answer.body.redirect_url as string) };
    };
    const callBack = async ({ state }: { state: string }): Promise<void> => {
      const query = new URLSearchParams({ state, code: 'alice' }).toString();
      expect((await fetch(`${client.baseUrl}/oauth/callback/oauth_app?${query}`)).status).toBe(200);
    };

    /** The callbacks, and the death of a process during one. Each adds one version to every flow. */
    const happeningsOf = (flows: { id: string; state: string }[]): (() => Promise<unknown>)[] => {
      const restart = (): Promise<{ id: string; state: string }[]> => Promise.all(flows.map(({ id }) => start(id)));
      const kill = (): Promise<void> => sleep(Math.random() * 20).then(() => doomed.kill());
      return [
        () => Promise.all(flows.map(callBack)),
        async () => Promise.all([kill(), ...(await restart()).map(callBack)]),
        async () => Promise.all((await restart()).map(callBack)),
      ];
    };

    /** Starts all listeners, `AT_ONCE` at a time. @returns for each the version committed before it started. */
    const arrive = async (flows: { id: string; state: string }[]): Promise<number[]> => {
      const floors: number[] = [];
      const happenings = happeningsOf(flows);
      let committed = 1;
      let [happening, gate] = [Promise.resolve(), Promise.resolve()];
      const marks = [0.3, 0.5, 0.7, 0.9].map((part) => Math.floor(count * (part + 0.1 * (Math.random() - 0.5))));
      const come = async (): Promise<void> => {
        while (listeners.length < count) {
          const number = listeners.length;
          const its = { key: keys[number % keys.length]!, id: flows[number % FLOWS]!.id, patienceMs: count / 4 };
          const listener = new Listener(DOORS[Math.floor(number / FLOWS) % DOORS.length]!, its);
          listeners.push(listener);
          if (marks.includes(number)) {
            // A listener that starts from here on starts during the next event or after it, but after the last one in
            // any case.
            gate = happening;
            const next = happenings.shift();
            if (next) happening = happening.then(next).then(() => void (committed += 1));
          }
          await gate;
          floors[number] = committed;
          await listener.attach(ports[Math.random() < 0.5 ? 0 : 1], ports[1]);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, come));
      await happening;
      return floors;
    };

    it('receives every change once and in order, wherever and whenever it attached', async () => {
      const floors = await arrive(await Promise.all(Array.from({ length: FLOWS }, () => start())));
      const hasAll = ({ heard }: Listener): boolean => heard.at(-1) === LAST_VERSION;
      // Incomplete listeners are reported below.
      await until(() => listeners.every(hasAll)).catch(() => undefined);
      // Duplicates would arrive right after.
      await sleep(500);

      const wrong = listeners.filter((listener, number) => {
        const { heard, door, faults, lostAt } = listener;
        const isAscending = heard.every((version, index) => index === 0 || version > heard[index - 1]!);
        const isComplete = door.name === '?wait=' || heard.length === LAST_VERSION - heard[0]! + 1;
        const isStale = heard[0]! < floors[number]!;
        const isAtFault = faults.length > 0 || lostAt.includes(ports[1]);
        return !hasAll(listener) || !isAscending || !isComplete || isStale || isAtFault;
      });
      expect(wrong.map(({ door: { name }, heard, lostAt, faults }) => ({ name, heard, lostAt, faults }))).toEqual([]);
      // Checks that the test has exercised its subject.
      const resumed = listeners.filter(({ lostAt }) => lostAt.length > 0);
      expect(resumed.length).toBeGreaterThan(count / 10);
      for (const { name } of DOORS) expect(resumed.map(({ door }) => door.name)).toContain(name);
      expect(new Set(listeners.map(({ heard }) => heard[0]))).toEqual(new Set([1, 2, 3, 4]));
    });
  });
}

async function keysOfOneAccount(sql: Observer, count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) keys.push(await sql.key());
  await sql.rows('UPDATE api_keys SET account_id = (SELECT min(id::text)::uuid FROM accounts)');
  return keys;
}
