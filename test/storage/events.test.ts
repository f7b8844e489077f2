import { createHmac } from 'node:crypto';
import { Client } from '../support/http/client.js';
import { StillClock } from '../support/clock.js';
import { EventWorld } from '../app-events/event-world.js';

const SECRET = 'the signing secret of our Slack app';
const POST = { type: 'thing.made', text: 'x'.repeat(400_000) };

describe('events of an account that has stored as much as it may', () => {
  let world: EventWorld;
  let other: Client;
  beforeAll(async () => {
    world = await EventWorld.open({ STORED_LIMIT_MB: '1', SLACK_SIGNING_SECRET: SECRET }, new StillClock());
    other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    await world.connectCatalog('slack', 'T1');
    await world.trigger({ event: 'app_mention' });
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

  it('do not refuse a post to a shared address for the other accounts, and are not stored', async () => {
    const sent = JSON.stringify({ team_id: 'T1', type: 'event_callback', event: { type: 'app_mention' } });
    const shared = () => {
      const seconds = Math.floor(world.server.clock.now().getTime() / 1_000);
      const digest = createHmac('sha256', SECRET).update(`v0:${seconds}:${sent}`).digest('hex');
      const headers = { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${digest}` };
      return world.post({ path: '/events/slack' }, sent, headers);
    };
    const runs = async () => (await world.client.rest('GET', '/runs')).body.meta.total;
    const before = await runs();
    expect((await shared()).status).toBe(429);
    await world.connectCatalog('slack', 'T1', other);
    await world.trigger({ event: 'app_mention' }, { client: other });
    const { status, body } = await shared();
    expect([status, body.run_ids?.length, await runs()]).toEqual([202, 1, before]);
  });
});
