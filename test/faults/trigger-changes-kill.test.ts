import { until } from '../support/until.js';
import { KillWorld } from './support/kill-world.js';
import { ROUNDS } from './support/rounds.js';

const TRIGGERS = 4_000;
const WEBHOOKS = 5;

describe('workers that are killed with -9 while they report changes of triggers', () => {
  let world: KillWorld;
  let integration: string;
  const credentials = { api_key: 'sandbox_valid_key' };
  /** The number of batches that committed before each kill. */
  const batches: number[] = [];

  beforeAll(async () => {
    world = await KillWorld.open({ ALLOW_PRIVATE_NETWORK: 'true', SANDBOX: 'true' });
    await fill();
    for (let round = 0; round < ROUNDS; round += 1) await changeAndKill(round);
  });
  afterAll(() => world.close());

  const post = async (path: string, body: object): Promise<any> => {
    const answer = await world.client.rest('POST', path, { body });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  const waiting = () => world.count(`SELECT coalesce(sum(cardinality(triggers)), 0) AS n FROM trigger_change_fan_outs`);

  async function fill(): Promise<void> {
    integration = (await post('/integrations/connect', { type: 'sandbox_api_key', credentials })).id;
    const { id: workflow_id } = await post('/workflows', { name: 'Flow' });
    await post('/triggers', { workflow_id, type: 'manual' });
    await world.sql.rows(
      `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, event, integration_id, created_at)
       SELECT gen_random_uuid(), t.account_id, workflow_id, 'app_event', '{}', 'active', 'thing.made', i.id, t.created_at
       FROM triggers t, integrations i, generate_series(1, ${TRIGGERS})`,
    );
    for (let made = 0; made < WEBHOOKS; made += 1)
      await post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['trigger.updated'] });
  }

  /** Ends or returns the connection, and kills the worker that reports it in the middle. */
  async function changeAndKill(round: number): Promise<void> {
    if (round % 2 === 0) await post(`/integrations/${integration}/disconnect`, {});
    else await post(`/integrations/${integration}/reconnect`, { credentials });
    const before = await waiting();
    const worker = await world.worker();
    await until(async () => (await waiting()) < before);
    await worker.kill();
    batches.push((before - (await waiting())) / 500);
  }

  it('lose and duplicate no event', async () => {
    const worker = await world.worker();
    await until(async () => (await waiting()) === 0);
    await worker.kill();
    const pairs = await world.sql.rows<{ n: string; pairs: string }>(
      `SELECT n, count(*) AS pairs FROM (
         SELECT count(*) AS n FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
         WHERE d.type = 'trigger.updated' GROUP BY d.webhook_id, e.body::json->'data'->>'id', e.body::json->>'timestamp') p
       GROUP BY n`,
    );
    expect(pairs.map(({ n, pairs }) => [Number(n), Number(pairs)])).toEqual([[1, ROUNDS * TRIGGERS * WEBHOOKS]]);
  });

  it('were killed between two batches', () => {
    expect(batches.every((done) => Number.isInteger(done) && done > 0)).toBe(true);
  });
});
