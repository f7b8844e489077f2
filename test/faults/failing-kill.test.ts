import { until } from '../support/until.js';
import { KillWorld } from './support/kill-world.js';
import { ROUNDS } from './support/rounds.js';

/** Runs of each workflow, of which the third begins its notice. */
const RUNS = 5;
const LIMIT = 3;

describe('workers that are killed with -9 while workflows begin to fail', () => {
  let world: KillWorld;
  const names: string[] = [];
  /** The notices without a mail at each kill. */
  const left: number[] = [];

  beforeAll(async () => {
    world = await KillWorld.open({ CONTACT_EMAIL: 'operator@example.com' });
  });
  afterAll(() => world.close());

  const ended = () => world.count(`SELECT count(*) AS n FROM runs WHERE status = 'failed'`);
  const noticed = () => world.count(`SELECT count(*) AS n FROM workflow_failures WHERE is_noticed`);
  const waiting = () => world.count(`SELECT count(*) AS n FROM failure_notices`);
  const mails = () =>
    world.sql.rows<{ text: string }>(`SELECT text FROM mails WHERE key LIKE 'workflow-failing %' ORDER BY id`);

  /** Queues runs that fail without a call: their URL is none. */
  async function queueFailures(name: string): Promise<void> {
    names.push(name);
    const { id } = (await world.client.rest('POST', '/workflows', { body: { name, status: 'active' } })).body;
    const config = { method: 'GET', url: 'http://{{ trigger.body }}' };
    await world.client.rest('PUT', `/workflows/${id}/actions`, {
      body: { actions: [{ name: 'fails', kind: 'http_request', config }] },
    });
    const { webhook_url } = (
      await world.client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'webhook' } })
    ).body;
    for (let run = 0; run < RUNS; run += 1) {
      const { status } = await world.client.send('POST', new URL(webhook_url).pathname, { body: { run } });
      expect(status).toBe(202);
    }
  }

  it('notice each workflow once, in one mail and gathered in the next', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await queueFailures(`Round ${round}.`);
      const before = await ended();
      const victim = await world.worker();
      await until(async () => (await ended()) > before);
      await victim.kill();
      left.push(await waiting());
    }
    await queueFailures('Last.');
    let last = await world.worker();
    await until(async () => (await ended()) === names.length * RUNS);
    await until(async () => (await noticed()) === names.length && (await mails()).length > 0);
    await last.kill();
    expect(await mails()).toHaveLength(1);
    // Ten minutes later for the service.
    await world.sql.rows(`UPDATE failure_mails SET sent_at = sent_at - interval '10 minutes'`);
    last = await world.worker();
    await until(async () => (await waiting()) === 0);
    await last.kill();
    const texts = (await mails()).map(({ text }) => text);
    expect(texts.length).toBeLessThanOrEqual(2);
    for (const name of names) expect([name, texts.join().split(`“${name}”`).length - 1]).toEqual([name, 1]);
    const rows = await world.sql.rows(`SELECT failures, is_noticed FROM workflow_failures`);
    expect(rows).toEqual(names.map(() => ({ failures: LIMIT, is_noticed: true })));
  });

  it('were killed between a notice and its mail', () => {
    expect(left.some((notices) => notices > 0)).toBe(true);
  });
});
