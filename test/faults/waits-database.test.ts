import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/db/embedded/embedded-postgres.js';
import { Client } from '../support/http/client.js';
import { scratchFolder } from '../support/scratch.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { Answerers } from './support/answerers.js';
import { hookedWorkflow } from './support/hooked-workflow.js';
import { ROUNDS } from './support/rounds.js';

const LANES = 4;

describe('waits whose PostgreSQL is killed between their answers and the next steps', () => {
  const folder = scratchFolder();
  let database: EmbeddedPostgres;
  let answerers: Answerers;
  let servers: TestServer[];
  let client: Client;

  beforeAll(async () => {
    database = await startEmbedded({ dataDir: join(folder, 'data'), log: () => undefined });
    const shared = { url: database.url, drop: async () => undefined };
    const env = { ALLOW_PRIVATE_NETWORK: 'true' };
    const front = await startTestServer({ database: shared, env: { ...env, ROLES: 'api' } });
    servers = [front];
    for (let count = 0; count < 2; count += 1)
      servers.push(await startTestServer({ database: shared, env: { ...env, ROLES: 'worker' } }));
    client = new Client(front.baseUrl, await front.key());
    answerers = await Answerers.start(async (key, { url }) => {
      const { status } = await client.send('POST', new URL(url as string).pathname, { body: JSON.stringify(key) });
      return status;
    });
  });
  afterAll(async () => {
    for (const server of [...servers].reverse()) await server.close();
    answerers.close();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Its supervisor restarts it at once. */
  function kill(): void {
    const pidFile = join(database.dataDir, 'postgres', 'postmaster.pid');
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
  }

  it('are answered once each, and each run goes on once', async () => {
    const actions = [
      answerers.call('first', { key: '{{ trigger.body }}', url: '{{ waits.paid.url }}' }),
      { name: 'paid', kind: 'wait_for_callback', config: {} },
      answerers.call('last', { key: '{{ steps.paid.body }}' }),
    ];
    const hook = new URL(await hookedWorkflow(client, actions)).pathname;
    const accepted = new Set<string>();
    let stopped = false;
    let next = 0;
    const lane = async () => {
      while (!stopped) {
        const key = `user-${(next += 1)}`;
        const { status } = await client.send('POST', hook, { body: JSON.stringify(key) });
        if (status === 202) accepted.add(key);
        await sleep(20);
      }
    };
    const working = Promise.all(Array.from({ length: LANES }, lane));
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = answerers.answered.size;
      await until(() => answerers.answered.size > before + 20 + Math.random() * 20);
      kill();
    }
    stopped = true;
    await working;

    const { db } = servers[0]!;
    await until(() => [...accepted].every((key) => answerers.answered.has(key)));
    const hasEnded = ([open]: unknown[]) => open === undefined;
    // The database may still be starting.
    await until(() => db.query(`SELECT 1 FROM runs WHERE finished_at IS NULL LIMIT 1`).then(hasEnded, () => false));
    expect(answerers.faults).toEqual([]);
    expect([...accepted].filter((key) => !answerers.continued.has(key))).toEqual([]);
    const [runs] = await db.query<{ total: number; succeeded: number; steps: number; answered: number }>(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
         (SELECT count(*)::int FROM steps WHERE status = 'succeeded') AS steps,
         (SELECT count(*)::int FROM wait_changes WHERE status = 'answered') AS answered FROM runs`,
    );
    const { total } = runs!;
    expect(total).toBeGreaterThanOrEqual(accepted.size);
    expect(runs).toEqual({ total, succeeded: total, steps: 3 * total, answered: total });
  });
});
