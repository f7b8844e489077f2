import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { kill, membersOf, returned } from '../processes/support/members.js';
import { hookedWorkflow } from './support/hooked-workflow.js';
import { Observer } from './support/observer.js';
import { RepeatingClient } from './support/repeating-client.js';
import { ROUNDS } from './support/rounds.js';
import { RunTarget } from './support/run-target.js';

const LANES = 6;
/** The fifth death within a minute would end the service. */
const DEATHS_A_MINUTE = 4;

describe('the processes of one service, killed with -9 at random under load', () => {
  let database: TestDatabase;
  let sql: Observer;
  let target: RunTarget;
  let service: ServiceProcess;
  let writer: RepeatingClient;
  const written: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = await Observer.open(database.url);
    target = await RunTarget.start();
    const PORT = String(await freePort());
    service = await ServiceProcess.start({
      PORT,
      PROCESSES: '3',
      DATABASE_POOL: '4',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      ALLOW_PRIVATE_NETWORK: 'true',
      DRAIN_DELAY: '0',
      DRAIN_IDLE: '0',
    });
    const client = new Client(`http://localhost:${PORT}`, await sql.key());
    const hook = await hookedWorkflow(client, [target.call('first'), target.call('second')], {
      dedupe_header: 'X-Delivery',
    });
    writer = new RepeatingClient(client.baseUrl, client.key!, hook);
    await killAndRun();
  });
  afterAll(async () => {
    await service.kill();
    target.close();
    await sql.close();
    await database.drop();
  });

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
    const deaths: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const enough = written.length + 10 + Math.floor(Math.random() * 60);
      await Promise.race([until(() => written.length >= enough), working]);
      const [earliest] = deaths.slice(-DEATHS_A_MINUTE);
      if (deaths.length >= DEATHS_A_MINUTE) await sleep(Math.max(0, 61_000 - (performance.now() - earliest!)));
      const members = membersOf(service);
      kill(members[Math.floor(Math.random() * members.length)]!);
      deaths.push(performance.now());
      await returned(service, round);
    }
    stopped = true;
    await working;
    const open = `SELECT 1 FROM runs WHERE status IN ('queued', 'running')`;
    await until(async () => (await sql.rows(open)).length === 0);
  }

  it('lose no acknowledged hook, and end each run once', async () => {
    const rows = await sql.rows<{ key: string; status: string }>(`SELECT input #>> '{}' AS key, status FROM runs`);
    const ids = await sql.stored('run', `SELECT id, input #>> '{}' AS key FROM runs`);
    expect(ids.map(({ id }) => id).sort()).toEqual([...written].sort());
    expect(new Set(rows.map(({ key }) => key)).size).toBe(written.length);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(target.repeated).toEqual([]);
  });

  it('are as many as before, and stop as one', async () => {
    expect(membersOf(service)).toHaveLength(3);
    expect(await service.stop()).toBe(0);
  });
});
