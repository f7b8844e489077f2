import { Client } from '../support/http/client.js';
import { StillClock } from '../support/clock.js';
import { EventWorld } from '../app-events/event-world.js';

const POST = { type: 'thing.made', text: 'x'.repeat(400_000) };

describe('events of an account that has stored as much as it may', () => {
  let world: EventWorld;
  let other: Client;
  beforeAll(async () => {
    world = await EventWorld.open({ STORED_LIMIT_MB: '1' }, new StillClock());
    other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
  });
  afterAll(() => world.close());

  it('get 429, so that the provider posts them again; the input of several runs counts once', async () => {
    const source = await world.connect('unsigned');
    for (let trigger = 0; trigger < 5; trigger += 1) await world.trigger({ event: 'thing.made' });
    const statuses: number[] = [];
    for (let post = 0; post < 4; post += 1) statuses.push((await world.post(source, POST)).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
    const refused = await world.post(source, { type: 'thing.made' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await world.client.rest('GET', '/runs')).body.meta.total).toBe(15);
    // Nothing is stored of an event that no trigger waits for.
    expect((await world.post(source, { type: 'thing.gone' })).status).toBe(202);
  });

  it('are taken of another account', async () => {
    const source = await world.connect('unsigned', other);
    await world.trigger({ event: 'thing.made' }, { client: other });
    expect((await world.post(source, POST)).body.run_ids).toHaveLength(1);
  });
});
