import { until } from '../support/until.js';
import { kill, membersOf, returned } from './support/members.js';
import { SeveralWorld } from './support/several-world.js';

const RATE = 20;
const BURST = 2 * RATE;

describe('limits over two processes', () => {
  let world: SeveralWorld;

  beforeAll(async () => {
    world = await SeveralWorld.open({ RATE_LIMITS: 'on', RATE_LIMIT_READ: String(RATE), RATE_LIMIT_WRITE: '1000' });
  });
  afterAll(() => world.close());

  it('admit the reads of a key over the machine: a burst, and the rate from then on', async () => {
    const key = await world.sql.key();
    const began = performance.now();
    const answers = [];
    for (let round = 0; round < 20; round += 1)
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => world.get('/v1/workflows', key)))));
    const seconds = (performance.now() - began) / 1_000;
    const admitted = answers.filter(({ status }) => status === 200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    // What was admitted beyond the bucket is owed: at most a round, the requests that were under way at once.
    expect(admitted.length).toBeLessThanOrEqual(BURST + RATE * seconds + 10);
    expect(admitted.length).toBeGreaterThanOrEqual(BURST);
    const pids = await Promise.all(admitted.map(({ requestId }) => world.pidOf(requestId)));
    expect(new Set(pids)).toEqual(new Set(membersOf(world.service)));
  });

  it('leave all of it to a key that uses one connection, thus one process', async () => {
    const key = await world.sql.key();
    const statuses = [];
    for (let count = 0; count < BURST; count += 1)
      statuses.push(
        (await world.client.send('GET', '/v1/workflows', { headers: { authorization: `Bearer ${key}` } })).status,
      );
    expect(statuses).toEqual(Array.from({ length: BURST }, () => 200));
  });

  it('refuse a wrong key with 401, never with 429', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => world.get('/v1/workflows', 'wfk_nope')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });
});

describe('places over two processes', () => {
  let world: SeveralWorld;

  beforeAll(async () => {
    world = await SeveralWorld.open();
  });
  afterAll(() => world.close());

  it('are 100 long polls of a key, whichever process they reach, and free again once they end', async () => {
    const { body } = await world.client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    const polls = Array.from({ length: 104 }, () => world.get(`/v1/integrations/${body.integration_id}?wait=30`));
    const ended: number[] = [];
    polls.forEach((poll) => void poll.then(({ status }) => ended.push(status)));
    await until(async () => ended.length === 4 && (await world.metric('change_listeners ')) === 100);
    expect(ended).toEqual([429, 429, 429, 429]);
    expect((await world.client.rest('DELETE', `/integrations/${body.integration_id}`)).status).toBe(204);
    await Promise.all(polls);
    await until(async () => (await world.metric('change_listeners ')) === 0);
    const other = await world.client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    const again = Array.from({ length: 100 }, () => world.get(`/v1/integrations/${other.body.integration_id}?wait=1`));
    expect(new Set((await Promise.all(again)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('are free at once when the process that held them dies', async () => {
    const { body } = await world.client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    const path = `/v1/integrations/${body.integration_id}?wait=30`;
    const held = Array.from({ length: 100 }, () =>
      world.get(path).then(
        ({ status }) => status,
        () => 'cut',
      ),
    );
    await until(async () => (await world.metric('change_listeners ')) === 100);
    expect((await world.get(path)).status).toBe(429);
    const [victim] = membersOf(world.service);
    kill(victim!);
    await returned(world.service, 1);
    const again = world.get(path).then(({ status }) => status);
    expect((await world.client.rest('DELETE', `/integrations/${body.integration_id}`)).status).toBe(204);
    const ends = await Promise.all(held);
    expect(ends).toContain('cut');
    expect(await again).not.toBe(429);
  });
});
