import { until } from '../support/until.js';
import { KillWorld } from './support/kill-world.js';
import { ROUNDS } from './support/rounds.js';

const RUNS = 400;

describe('workers that are killed with -9 while they execute bulk operations', () => {
  let world: KillWorld;
  const kills: { done: number; left: number }[] = [];

  beforeAll(async () => {
    world = await KillWorld.open();
  });
  afterAll(() => world.close());

  const numbersOf = async (id: string) => (await world.client.rest('GET', `/bulk/${id}`)).body;

  /** Stores ended or queued runs of a new workflow. @returns its id. */
  async function workflowWith(status: 'failed' | 'queued'): Promise<string> {
    const { id } = (await world.client.rest('POST', '/workflows', { body: { name: status, status: 'active' } })).body;
    await world.sql.rows(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at, finished_at)
       SELECT gen_random_uuid(), account_id, id, 'manual', $1, created_at, CASE WHEN $1 = 'failed' THEN created_at END
       FROM workflows, generate_series(1, ${RUNS}) WHERE name = $1 AND id = (SELECT max(id::text)::uuid FROM workflows WHERE name = $1)`,
      [status],
    );
    return id;
  }

  /** Starts workers and kills each in the middle of the operation. */
  async function killIn(id: string): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = (await numbersOf(id)).done as number;
      const victim = await world.worker();
      await until(async () => {
        const { done, status } = await numbersOf(id);
        return done > before || status !== 'running';
      });
      await victim.kill();
      const { done, matched } = await numbersOf(id);
      kills.push({ done, left: matched - done });
    }
    const last = await world.worker();
    await until(async () => (await numbersOf(id)).status === 'done');
    await last.kill();
  }

  it('retry each run once', async () => {
    const workflow_id = await workflowWith('failed');
    const { id, matched } = (await world.client.rest('POST', '/runs/retry', { body: { workflow_id } })).body;
    expect(matched).toBe(RUNS);
    await killIn(id);
    expect(await numbersOf(id)).toMatchObject({ done: RUNS, failed: 0 });
    const retries = await world.sql.rows<{ n: string; runs: string }>(
      `SELECT n, count(*) AS runs FROM (SELECT count(*) AS n FROM runs WHERE retry_of IS NOT NULL GROUP BY retry_of) r GROUP BY n`,
    );
    expect(retries.map(({ n, runs }) => [Number(n), Number(runs)])).toEqual([[1, RUNS]]);
  });

  it('count each canceled run once', async () => {
    const workflow_id = await workflowWith('queued');
    const { id } = (await world.client.rest('POST', '/runs/cancel', { body: { workflow_id } })).body;
    await killIn(id);
    expect(await numbersOf(id)).toMatchObject({ done: RUNS, failed: 0 });
    const [row] = await world.sql.rows<{ n: string }>(
      `SELECT count(*) AS n FROM runs WHERE status = 'canceled' AND version = 2`,
    );
    expect(Number(row!.n)).toBe(RUNS);
  });

  it('were killed in the middle', () => {
    expect(kills.some(({ done, left }) => done > 0 && left > 0)).toBe(true);
  });
});
