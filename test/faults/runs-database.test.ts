import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/db/embedded/embedded-postgres.js';
import { toPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { scratchFolder } from '../support/scratch.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { hookedWorkflow } from './support/hooked-workflow.js';
import { ROUNDS } from './support/rounds.js';
import { RunTarget } from './support/run-target.js';

const LANES = 4;

describe('runs whose PostgreSQL is killed or restarted', () => {
  const folder = scratchFolder();
  let database: EmbeddedPostgres;
  let target: RunTarget;
  let servers: TestServer[];
  let client: Client;

  beforeAll(async () => {
    database = await startEmbedded({ dataDir: join(folder, 'data'), log: () => undefined });
    target = await RunTarget.start();
    target.answer = (_, response) => void setTimeout(() => response.end('{}'), Math.random() * 100);
    const shared = { url: database.url, drop: async () => undefined };
    const env = { ALLOW_PRIVATE_NETWORK: 'true' };
    const front = await startTestServer({ database: shared, env });
    servers = [front, await startTestServer({ database: shared, env: { ...env, ROLES: 'worker' } })];
    client = new Client(front.baseUrl, await front.key());
  });
  afterAll(async () => {
    for (const server of [...servers].reverse()) await server.close();
    target.close();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Its supervisor restarts it at once. */
  function strike(name: 'SIGKILL' | 'SIGINT'): void {
    const pidFile = join(database.dataDir, 'postgres', 'postmaster.pid');
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), name);
  }

  it('end once each, and no step that was recorded as succeeded is executed again, by two workers that are not restarted', async () => {
    const hook = new URL(await hookedWorkflow(client, [target.call('first'), target.call('second')])).pathname;
    const accepted: string[] = [];
    let stopped = false;
    const lane = async () => {
      while (!stopped) {
        const { status, body } = await client.send('POST', hook, { body: '{}' });
        if (status === 202) accepted.push(body.run_id as string);
        await sleep(20);
      }
    };
    const working = Promise.all(Array.from({ length: LANES }, lane));
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = accepted.length;
      await until(() => accepted.length > before + 20 + Math.random() * 40);
      strike(round % 2 === 0 ? 'SIGKILL' : 'SIGINT');
    }
    const before = accepted.length;
    await until(() => accepted.length > before + 20);
    stopped = true;
    await working;

    const { db } = servers[0]!;
    const open = `SELECT 1 FROM runs WHERE finished_at IS NULL`;
    await until(async () => (await db.query(open)).length === 0);
    const rows = await db.query<{ id: string; status: string; version: number }>(
      `SELECT id, status, version FROM runs`,
    );
    const stored = new Set(rows.map(({ id }) => toPublicId('run', id)));
    expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
    expect(rows.filter(({ status, version }) => status !== 'succeeded' || version !== 3)).toEqual([]);
    expect(await db.query(`SELECT 1 FROM pgboss.job WHERE name = 'runs'`)).toEqual([]);
    expect(target.repeated).toEqual([]);
    const asked = new Set(target.keys);
    const expected = [...stored].flatMap((run) => [`${run}-0`, `${run}-1`]);
    expect(expected.filter((key) => !asked.has(key))).toEqual([]);
  });
});
