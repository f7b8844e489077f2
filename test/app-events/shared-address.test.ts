import { createHmac } from 'node:crypto';
import { LONG_BYTES } from '../../src/platform/admission/long-work.js';
import { Client } from '../support/http/client.js';
import { StillClock } from '../support/clock.js';
import { EventWorld, type Source } from './event-world.js';

const SECRET = 'the signing secret of our Slack app';
const TEAM = 'T123ABC456';

let world: EventWorld;
let other: Client;
beforeAll(async () => {
  world = await EventWorld.open({ SLACK_SIGNING_SECRET: SECRET });
  other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
});
afterEach(async () => {
  await world.server.db.query('DELETE FROM triggers');
  await world.server.db.query('DELETE FROM integrations');
});
afterAll(() => world.close());

/** As in https://docs.slack.dev/apis/events-api, a new one each time. */
let made = 0;
const eventOf = (team_id: string, more: object = {}) => ({
  token: 'XXYYZZ',
  team_id,
  api_app_id: 'AXXXXXXXXX',
  event: { type: 'app_mention', user: 'U061F7AUR', text: 'hi', channel: 'C0LAN2Q65' },
  type: 'event_callback',
  event_context: 'EC123ABC456',
  event_id: `Ev${(made += 1)}`,
  event_time: 1234567890,
  ...more,
});

function headersOf(text: string, secret = SECRET, in_ = world): Record<string, string> {
  const seconds = Math.floor(in_.server.clock.now().getTime() / 1_000);
  const digest = createHmac('sha256', secret).update(`v0:${seconds}:${text}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${digest}` };
}

function post(body: object, { secret = SECRET, path = '/events/slack', at = world } = {}) {
  const text = JSON.stringify(body);
  return at.post({ path }, text, headersOf(text, secret, at));
}

const slack = (team = TEAM, client?: Client): Promise<Source> => world.connectCatalog('slack', team, client);
const mention = (config: object = {}, client?: Client) =>
  world.trigger({ event: 'app_mention', ...config }, client && { client });

describe('/events/slack', () => {
  it('is the URL of every integration, and fires in each account that has connected the workspace', async () => {
    const [mine, theirs, elsewhere] = [await slack(), await slack(TEAM, other), await slack('T2')];
    expect([mine.path, theirs.path, elsewhere.path, mine.secret]).toEqual([
      '/events/slack',
      '/events/slack',
      '/events/slack',
      null,
    ]);
    const [ofMine, ofTheirs, ofElsewhere] = [
      await mention({ integration_id: mine.id }),
      await mention({}, other),
      await mention({ integration_id: elsewhere.id }),
    ];
    const body = eventOf(TEAM);
    const answer = await post(body);
    expect([answer.status, answer.body.run_ids?.length]).toEqual([202, 2]);
    expect([await world.count(ofMine), await world.count(ofElsewhere)]).toEqual([1, 0]);
    const theirRuns = (await other.rest('GET', `/runs?trigger_id=${ofTheirs.id}`)).body.data;
    expect(theirRuns).toMatchObject([{ status: 'queued', input: body }]);
    expect((await post(eventOf('T2'))).body.run_ids).toHaveLength(1);
    expect(await post(eventOf('T3'))).toMatchObject({ status: 202, body: { accepted: true, run_ids: [] } });
  });

  it('fires once for a delivery, and once if an account has connected a workspace twice', async () => {
    const [one, two] = [await slack(), await slack()];
    const [ofAny, ofOne, ofTwo] = [
      await mention(),
      await mention({ integration_id: one.id }),
      await mention({ integration_id: two.id }),
    ];
    const body = eventOf(TEAM);
    const [first, again] = [await post(body), await post(body)];
    expect([new Set(first.body.run_ids).size, first.body.run_ids!.length]).toEqual([3, 3]);
    expect(new Set(again.body.run_ids)).toEqual(new Set(first.body.run_ids));
    expect([await world.count(ofAny), await world.count(ofOne), await world.count(ofTwo)]).toEqual([1, 1, 1]);
  });

  it('fires each trigger of an account once, however often that has connected the workspace', async () => {
    await slack();
    const [ofAny] = [await mention(), await slack(), await slack()];
    await world.server.db.query(
      `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, event, created_at)
       SELECT gen_random_uuid(), account_id, workflow_id, type, config, status, event, created_at
       FROM triggers, generate_series(2, 701)`,
    );
    // Without a delivery id nothing else removes the duplicates.
    expect((await post(eventOf(TEAM, { event_id: undefined }))).body.run_ids).toHaveLength(500);
    const waiting = await world.server.db.query(`SELECT cardinality(triggers) AS left FROM event_fan_outs`);
    expect(waiting).toEqual([{ left: 201 }]);
    await world.server.db.query('DELETE FROM event_fan_outs');
    expect(await world.count(ofAny)).toBeLessThanOrEqual(1);
  });

  it('takes an event for the others while too many of one account wait, which gets one skipped run', async () => {
    await slack();
    const mine = await mention();
    const { db } = world.server;
    await db.query(
      `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, event, created_at)
       SELECT gen_random_uuid(), account_id, workflow_id, type, config, status, event, created_at
       FROM triggers, generate_series(2, 501)`,
    );
    await db.query(
      `INSERT INTO event_fan_outs (id, account_id, triggers, hops, source_lost, input, input_bytes)
       SELECT gen_random_uuid(), t.account_id, '{}', 0, false, '1', 1
       FROM (SELECT account_id FROM triggers LIMIT 1) t, generate_series(1, 100)`,
    );
    const body = eventOf(TEAM);
    // Nothing of it is stored, so the provider may post it again.
    expect(await post(body)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const theirs = (await slack(TEAM, other)) && (await mention({}, other));
    const answer = await post(body);
    expect([answer.status, answer.body.run_ids?.length]).toEqual([202, 2]);
    expect((await other.rest('GET', `/runs?trigger_id=${theirs.id}`)).body.data).toMatchObject([{ status: 'queued' }]);
    const { data, meta } = (await world.client.rest('GET', `/runs?workflow_id=${mine.workflow_id}`)).body;
    expect(meta.total).toBe(1);
    expect(data).toMatchObject([{ status: 'skipped', status_reason: 'too_many_events', input: body }]);
    await db.query('DELETE FROM event_fan_outs');
  });

  it('finds the workspace by whose installation an event of a shared channel is seen', async () => {
    await slack();
    const trigger = await mention();
    await post(eventOf('T_elsewhere', { authorizations: [{ team_id: TEAM, is_bot: true }] }));
    expect(await world.count(trigger)).toBe(1);
  });

  it('refuses posts that Slack did not sign, without any lookup', async () => {
    await slack();
    const trigger = await mention();
    const text = JSON.stringify(eventOf(TEAM));
    for (const headers of [{}, headersOf(text, 'a guess'), headersOf(`${text} `)])
      expect(await world.post({ path: '/events/slack' }, text, headers)).toMatchObject({
        status: 401,
        body: { code: 'unauthorized' },
      });
    expect(await world.count(trigger)).toBe(0);
  });

  it('echoes the challenge of a signed url_verification alone', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1a', token: 'x' });
    const url = `${world.server.baseUrl}/events/slack`;
    const response = await fetch(url, { method: 'POST', body, headers: headersOf(body) });
    expect([response.status, await response.text()]).toEqual([200, '3eZbrw1a']);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
    const get = await fetch(url);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('fires nothing in an integration that is not connected any more', async () => {
    const source = await slack();
    const trigger = await mention();
    await world.server.db.query(`UPDATE integrations SET status = 'disconnected'`);
    expect((await post(eventOf(TEAM))).body.run_ids).toEqual([]);
    await world.server.db.query(`UPDATE integrations SET status = 'connected'`);
    await world.client.rest('DELETE', `/integrations/${source.id}`);
    expect((await post(eventOf(TEAM))).body.run_ids).toEqual([]);
    expect([await world.count(trigger), await world.count(trigger, 'skipped')]).toEqual([0, 0]);
  });

  it('skips an integration with its own secret, which also has its own URL again', async () => {
    const { id } = await slack();
    const trigger = await mention();
    await world.update({ id }, { events_secret: 'the secret of their own Slack app' });
    const own = await world.sourceOf(id);
    expect(own.path).toMatch(/^\/events\/[\w-]{43}$/);
    expect((await post(eventOf(TEAM))).body.run_ids).toEqual([]);
    expect((await post(eventOf(TEAM), { path: own.path })).status).toBe(401);
    const secret = 'the secret of their own Slack app';
    expect((await post(eventOf(TEAM), { path: own.path, secret })).body.run_ids).toHaveLength(1);
    expect((await post(eventOf('T_other'), { path: own.path, secret })).body.run_ids).toEqual([]);
    expect(await world.count(trigger)).toBe(1);
  });

  it('does not give one integration the events of others if its own URL was registered', async () => {
    const { id } = await slack();
    await mention();
    const without = await world.another();
    const { body } = await new Client(without.url, await without.key()).graphql(
      'query ($id: ID!) { integration(id: $id) { eventsUrl } }',
      { id },
    );
    await without.close();
    const path = new URL(body.data.integration.eventsUrl).pathname;
    expect((await post(eventOf('T_other'), { path })).body.run_ids).toEqual([]);
    expect((await post(eventOf(TEAM), { path })).body.run_ids).toHaveLength(1);
  });

  it('does not parse unsigned posts', async () => {
    for (const text of ['{', 'x'.repeat(LONG_BYTES + 1)]) {
      const of = (secret: string) => world.post({ path: '/events/slack' }, text, headersOf(text, secret));
      expect(await of('a guess')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(await of(SECRET)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    }
  });

  it('limits each workspace separately, and does not count unsigned posts', async () => {
    const limited = await EventWorld.open(
      { RATE_LIMITS: 'on', RATE_LIMIT_HOOK: '2', SLACK_SIGNING_SECRET: SECRET },
      new StillClock(),
    );
    try {
      const statuses = async (team: string, secret?: string) => {
        const posts = Array.from({ length: 8 }, () => post(eventOf(team), { at: limited, ...(secret && { secret }) }));
        return (await Promise.all(posts)).map(({ status }) => status).sort();
      };
      expect(await statuses('T1', 'a guess')).toEqual(Array(8).fill(401));
      for (const team of ['T1', 'T2']) expect(await statuses(team)).toEqual([202, 202, 202, 202, 429, 429, 429, 429]);
    } finally {
      await limited.close();
    }
  });

  it('accepts a body of 300 kB', async () => {
    await slack();
    await mention();
    const { status, body } = await post(eventOf(TEAM, { padding: 'x'.repeat(300_000) }));
    expect([status, body.run_ids?.length]).toEqual([202, 1]);
  });
});

describe('without SLACK_SIGNING_SECRET', () => {
  it('the URL does not exist, and each integration has its own, which accepts unsigned events', async () => {
    const bare = await EventWorld.open();
    try {
      const source = await bare.connectCatalog('slack', TEAM);
      await bare.trigger({ event: 'app_mention' });
      expect(source.path).toMatch(/^\/events\/[\w-]{43}$/);
      expect((await bare.post({ path: '/events/slack' }, eventOf(TEAM))).status).toBe(404);
      expect((await bare.post(source, eventOf(TEAM))).body.run_ids).toHaveLength(1);
    } finally {
      await bare.close();
    }
  });
});
