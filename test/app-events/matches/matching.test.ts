import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppEvent } from '../../../src/features/triggers/app-events/event-post.js';
import { HeavyLanes, LooksTogether } from '../../../src/features/triggers/app-events/heavy-lanes.js';
import { MatchTally } from '../../../src/features/triggers/app-events/match-tally.js';
import { MatchWeights } from '../../../src/features/triggers/app-events/match-weights.js';
import { findWaitingTriggers } from '../../../src/features/triggers/app-events/waiting-triggers.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { EventWorld } from '../event-world.js';

const TRIGGERS = 1_000;
const PATHS = 50;
/** The payload of an event; each filter but the last matches it. */
const FIELDS = Object.fromEntries(Array.from({ length: PATHS }, (_, index) => [`field${index}`, index]));

let world: EventWorld;
let integration: { uuid: string; account: string };
beforeAll(async () => {
  world = await EventWorld.open();
  const { id } = await world.connect('unsigned');
  const uuid = fromPublicId('int', id)!;
  const [row] = await world.server.db.query<{ account: string }>(
    `SELECT account_id AS account FROM integrations WHERE id = $1`,
    [uuid],
  );
  integration = { uuid, account: row!.account };
  const trigger = await world.trigger({ event: 'thing.made', filter: FIELDS });
  await world.server.db.query(
    `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, event, created_at)
     SELECT gen_random_uuid(), account_id, workflow_id, type,
       jsonb_set(config::jsonb, '{filter,field${PATHS - 1}}', to_jsonb(n))::json, status, event, created_at
     FROM triggers, generate_series(1, $2::int) n WHERE id = $1`,
    [fromPublicId('trg', trigger.id), TRIGGERS - 1],
  );
});
afterAll(() => world.close());

function event(value: unknown): AppEvent {
  const settings = { integrationUuid: integration.uuid, accountId: integration.account } as AppEvent['settings'];
  const integrations = new Set([integration.uuid]);
  return { settings, integrations, name: 'thing.made', value, input: '', key: null, hops: 0 };
}

describe('an event that is compared with many triggers', () => {
  it('finds those whose filter it passes, over several pages', async () => {
    const { db } = world.server;
    const [all, none, other] = await findWaitingTriggers(db, [
      event(FIELDS),
      event({}),
      { ...event(FIELDS), name: 'thing.else' },
    ]);
    // The one that the others were made of, and one of those.
    expect(all!.triggers).toHaveLength(2);
    expect(none).toEqual({ triggers: [], looks: 2 * TRIGGERS });
    expect(other).toEqual({ triggers: [], looks: 0 });
  });

  it('compares at most a thousand paths in one turn of the event loop', async () => {
    let looks = 0;
    const payload = new Proxy(FIELDS, {
      getOwnPropertyDescriptor: (fields, name) => {
        looks += 1;
        return Reflect.getOwnPropertyDescriptor(fields, name);
      },
    });
    const turns = [0];
    let isOver = false;
    const sample = () => {
      turns.push(looks);
      if (!isOver) setImmediate(sample);
    };
    sample();
    const [match] = await findWaitingTriggers(world.server.db, [event(payload)]);
    isOver = true;
    expect([looks, match!.looks]).toEqual([TRIGGERS * PATHS, TRIGGERS * (PATHS + 1)]);
    const most = Math.max(...turns.map((count, index) => count - (turns[index - 1] ?? 0)));
    // A trigger is compared whole.
    expect(most).toBeLessThanOrEqual(1_000 + PATHS);
  });

  it('tells how many bytes of configs have been read, after each page', async () => {
    const [row] = await world.server.db.query<{ bytes: number }>(
      `SELECT sum(octet_length(config::text)) AS bytes FROM triggers`,
    );
    const read: number[] = [];
    await findWaitingTriggers(world.server.db, [event({})], {
      onRead: (_event, bytes) => read.push(bytes) > 0,
    });
    expect([read.length, read.at(-1)]).toEqual([1 + Math.ceil((TRIGGERS - 50 + 1) / 200), row!.bytes]);
    expect(read).toEqual(read.toSorted((a, b) => a - b));
  });

  it('ends for one event where its caller says so, and goes on for the others', async () => {
    const [one, two] = [event({}), event({})];
    const read: string[] = [];
    const found = await findWaitingTriggers(world.server.db, [one, two], {
      onRead: (told) => {
        read.push(told === one ? 'one' : 'two');
        return told === two;
      },
    });
    expect(found.map((match) => match?.looks !== undefined)).toEqual([false, true]);
    expect(read.slice(0, 3)).toEqual(['one', 'two', 'two']);
    expect(read.filter((name) => name === 'one')).toHaveLength(1);
  });

  it('is compared no further once its post has matched 10,000 triggers, or needs 2,000,000 comparisons', async () => {
    const { db } = world.server;
    const tally = new MatchTally();
    // Two triggers match each.
    const events = Array.from({ length: 5_100 }, () => event(FIELDS));
    await db.query(`UPDATE triggers SET config = '{"event":"thing.made"}', event = 'thing.free'`);
    const free = events.map((each) => ({ ...each, name: 'thing.free' }));
    const found = await findWaitingTriggers(db, free, { tallyOf: () => tally });
    await db.query(`UPDATE triggers SET event = 'thing.made'`);
    expect([tally.matches, tally.isOver, tally.looks]).toEqual([10_001, true, 10_001]);
    const made = found.flatMap((match) => match!.triggers);
    // An object for each trigger, not for each pair; nothing is made of the one too many.
    expect([made.length, new Set(made).size]).toEqual([10_000, 2]);
    const looked = new MatchTally();
    looked.looks = 2_000_000;
    expect(looked.isOver).toBe(false);
    looked.look();
    expect([looked.isOver, looked.refusal().status]).toEqual([true, 400]);
  });

  it('makes its lane a heavy one for an hour by more than a mebibyte of configs', () => {
    let time = 0;
    const lanes = new HeavyLanes({ now: () => new Date(time) });
    const bytes = (lane: string, count: number) => lanes.learn(lane, { bytes: count, looks: 0, matches: 0 });
    bytes('a', 2 ** 20);
    expect(lanes.has('a')).toBe(false);
    bytes('a', 2 ** 20 + 1);
    bytes('a', 1);
    time = 3_599_999;
    expect([lanes.has('a'), lanes.has('b')]).toEqual([true, false]);
    time = 3_600_000;
    expect(lanes.has('a')).toBe(false);
  });

  it.each([
    ['2,000 firings of a post', { matches: 2_000 }, { matches: 2_001 }],
    ['100,000 comparisons', { looks: 100_000 }, { looks: 100_001 }],
  ])('makes its lane a heavy one by more than %s', (_, most, more) => {
    const lanes = new HeavyLanes({ now: () => new Date(0) });
    const none = { bytes: 0, looks: 0, matches: 0 };
    lanes.learn('a', { ...none, ...most });
    lanes.learn('b', { ...none, ...more });
    expect([lanes.has('a'), lanes.has('b')]).toEqual([false, true]);
  });

  it('shares a write of its heavy lane with others up to 1,000,000 comparisons', () => {
    const together = new LooksTogether();
    expect([together.hasRoom(0, 2_000_000), together.hasRoom(0, 600_000)]).toEqual([true, true]);
    expect([together.hasRoom(1, 400_000), together.hasRoom(1, 400_001)]).toEqual([true, false]);
  });

  it('weighs as much as its source’s last one', () => {
    const weights = new MatchWeights();
    const digestOf = (n: number) => ({ digest: Buffer.from(String(n)) });
    expect(weights.weightOf(digestOf(0))).toBe(0);
    for (let n = 0; n <= 10_000; n += 1) weights.learn(digestOf(n), n + 7);
    expect([0, 1, 10_000].map((n) => weights.weightOf(digestOf(n)))).toEqual([0, 8, 10_007]);
  });
});
