import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { hookedWorkflow } from './support/hooked-workflow.js';
import { Observer } from './support/observer.js';
import { RepeatingClient } from './support/repeating-client.js';
import { ROUNDS } from './support/rounds.js';
import { RunTarget } from './support/run-target.js';
import { LivedTime } from '../support/lived-time.js';

const LANES = 6;
/** The deadline by which runs of a dead worker must continue elsewhere. */
const GOES_ON_MS = 15_000;

describe('runs whose api process and workers are killed with -9', () => {
  let database: TestDatabase;
  let sql: Observer;
  let target: RunTarget;
  let envs: Record<string, string>[];
  let services: ServiceProcess[];
  let writer: RepeatingClient;
  const written: string[] = [];
  /** The milliseconds from the last kill until all runs of that moment have ended. */
  let wentOnAfter = Infinity;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = await Observer.open(database.url);
    target = await RunTarget.start();
    target.answer = (_, response) => void setTimeout(() => response.end('{}'), Math.random() * 100);
    const port = String(await freePort());
    const shared = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      ALLOW_PRIVATE_NETWORK: 'true',
      BASE_URL: `http://localhost:${port}`,
    };
    envs = [
      { ...shared, PORT: port },
      { ...shared, PORT: String(await freePort()), ROLES: 'worker' },
    ];
    services = await Promise.all(envs.map((env) => ServiceProcess.start(env)));
    const client = new Client(shared.BASE_URL, await sql.key());
    const actions = [target.call('first'), target.call('second'), target.call('third')];
    const hook = await hookedWorkflow(client, actions, { dedupe_header: 'X-Delivery' });
    writer = new RepeatingClient(client.baseUrl, client.key!, hook);
    await killAndRun();
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    target.close();
    await sql.close();
    await database.drop();
  });

  /** Kills the processes in turn, each at a random moment, and restarts it. */
  async function killAndRun(): Promise<void> {
    let stopped = false;
    let count = 0;
    const lane = async () => {
      while (!stopped) {
        written.push(await writer.write('run', `run-${(count += 1)}`));
        await sleep(20);
      }
    };
    const working = Promise.all(Array.from({ length: LANES }, lane));
    for (let round = 0; round < ROUNDS; round += 1) {
      const enough = written.length + 10 + Math.floor(Math.random() * 60);
      await Promise.race([until(() => written.length >= enough), working]);
      const victim = (round + 1) % services.length;
      await services[victim]!.kill();
      const time = new LivedTime();
      const left = await open();
      services[victim] = await ServiceProcess.start(envs[victim]!);
      if (round === ROUNDS - 1) await until(async () => (await openOf(left)) === 0);
      wentOnAfter = time.stop();
    }
    stopped = true;
    await working;
    await until(async () => (await open()).length === 0);
  }

  async function open(): Promise<string[]> {
    const rows = await sql.rows<{ id: string }>(`SELECT id FROM runs WHERE status IN ('queued', 'running')`);
    return rows.map(({ id }) => id);
  }

  async function openOf(ids: readonly string[]): Promise<number> {
    const still = `SELECT 1 FROM runs WHERE id = ANY($1) AND status IN ('queued', 'running')`;
    return (await sql.rows(still, [ids])).length;
  }

  it('ends every acknowledged run, and each once', async () => {
    const rows = await sql.stored('run', `SELECT id, input #>> '{}' AS key FROM runs`);
    expect(rows.map(({ id }) => id).sort()).toEqual([...written].sort());
    // Queued, running, succeeded: three changes, and none of them twice.
    const odd = `SELECT id, status, status_reason, version FROM runs WHERE status <> 'succeeded' OR version <> 3`;
    expect(await sql.rows(odd)).toEqual([]);
    expect(await sql.rows(`SELECT 1 FROM pgboss.job WHERE name = 'runs'`)).toEqual([]);
  });

  it('executes every step, and none again that was recorded as succeeded', async () => {
    expect(target.repeated).toEqual([]);
    const asked = new Set(target.keys);
    const expected = written.flatMap((run) => [0, 1, 2].map((index) => `${run}-${index}`));
    expect(expected.filter((key) => !asked.has(key))).toEqual([]);
    const [tried] = await sql.rows<{ attempts: number }>(`SELECT sum(attempt)::int AS attempts FROM steps`);
    // A kill between the claim and the call adds an attempt that the target never receives.
    expect(target.keys.length).toBeLessThanOrEqual(tried!.attempts);
  });

  it('lets the runs of a worker that died go on elsewhere within 15 s', () => {
    expect(wentOnAfter).toBeLessThan(GOES_ON_MS);
  });
});
