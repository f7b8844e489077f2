import pg from 'pg';
import { MAX_HOOK_BYTES } from '../../src/features/triggers/hooks/inbound-post.js';
import { type TestServer } from '../support/server.js';
import { EventWorld, type Source } from './event-world.js';
import { signed } from './sign.js';

let world: EventWorld;
let second: TestServer;
beforeAll(async () => {
  world = await EventWorld.open();
  second = await world.another();
});
afterEach(() => world.server.db.query('DELETE FROM triggers'));
afterAll(async () => {
  await second.close();
  await world.close();
});

const seconds = () => Math.floor(world.server.clock.now().getTime() / 1_000);

describe('a redelivery', () => {
  const json = (value: object) => JSON.stringify(value);
  /** How each application marks the repeated delivery of an event. */
  const cases: [string, (source: Source, id: string) => [body: string, headers: Record<string, string>]][] = [
    ['unsigned', (_, id) => ['{"type":"thing.made"}', { 'webhook-id': id }]],
    ['github_like', ({ secret }, id) => ['{}', { ...signed.github_like(secret!, '{}'), 'x-github-delivery': id }]],
    [
      'slack_like',
      (_, id) => {
        const body = json({ type: 'thing.made', event_id: id });
        return [body, signed.slack_like(seconds(), body)];
      },
    ],
    [
      'stripe_like',
      (_, id) => {
        const body = json({ id, type: 'thing.made' });
        return [body, signed.stripe_like(seconds(), body)];
      },
    ],
    [
      'standard',
      ({ secret }, id) => {
        const body = '{"type":"thing.made"}';
        return [body, signed.standard(secret!, seconds(), body, id)];
      },
    ],
  ];

  it.each(cases)('of %s fires once, and names the run of the first', async (type, delivery) => {
    const source = await world.connect(type);
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    const first = await world.post(source, ...delivery(source, 'Ev0PV52K21'));
    const again = await world.post(source, ...delivery(source, 'Ev0PV52K21'));
    expect([first.status, again.status, first.body.run_ids!.length]).toEqual([202, 202, 1]);
    expect(again.body).toEqual(first.body);
    const other = await world.post(source, ...delivery(source, 'x'.repeat(1_000)));
    expect(await world.post(source, ...delivery(source, 'x'.repeat(1_000)))).toMatchObject({ body: other.body });
    expect(await world.count(trigger)).toBe(2);
  });

  it('fires again after 30 days', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    const post = () => world.post(source, { type: 'thing.made' }, { 'webhook-id': 'old' });
    await post();
    await world.server.db.query(`UPDATE firings SET created_at = created_at - interval '30 days'`);
    await post();
    await post();
    expect(await world.count(trigger)).toBe(2);
  });

  it('is not recognised without an id, nor with the id of another integration or at another trigger', async () => {
    const [one, other] = [await world.connect('unsigned'), await world.connect('unsigned')];
    const trigger = await world.trigger({ event: 'thing.made' });
    const several: Record<string, string>[] = [{}, {}, { 'webhook-id': '' }, { 'webhook-id': 'same' }];
    for (const source of [one, other])
      for (const headers of several)
        expect((await world.post(source, { type: 'thing.made' }, headers)).body.run_ids!.length).toBe(1);
    expect(await world.count(trigger)).toBe(8);
    const late = await world.trigger({ event: 'thing.made', integration_id: one.id });
    await world.post(one, { type: 'thing.made' }, { 'webhook-id': 'same' });
    expect([await world.count(trigger), await world.count(late)]).toEqual([8, 1]);
  });

  it('fires a trigger that was skipped before, once it may run', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    const set = (status: string) => world.client.rest('PUT', `/triggers/${trigger.id}`, { body: { status } });
    const post = () => world.post(source, { type: 'thing.made' }, { 'webhook-id': 'later' });
    await set('paused');
    const skipped = await world.run((await post()).body.run_ids![0]!);
    expect(skipped).toMatchObject({ status: 'skipped', status_reason: 'trigger_paused' });
    await set('active');
    await post();
    await post();
    expect([await world.count(trigger), await world.count(trigger, 'skipped')]).toEqual([1, 1]);
  });
});

describe('deliveries at the same time', () => {
  it('of one event to two processes fire each of its triggers once', async () => {
    const source = await world.connect('unsigned');
    const triggers = await Promise.all(
      Array.from({ length: 5 }, () => world.trigger({ event: 'thing.made', integration_id: source.id })),
    );
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        world.post(
          source,
          { type: 'thing.made' },
          { 'webhook-id': `event ${index % 4}` },
          index % 2 < 1 ? world.server.baseUrl : second.baseUrl,
        ),
      ),
    );
    for (const [index, { status, body }] of answers.entries()) {
      expect([status, body.run_ids!.length]).toEqual([202, 5]);
      expect(body.run_ids).toEqual(answers[index % 4]!.body.run_ids);
    }
    for (const trigger of triggers) expect(await world.count(trigger)).toBe(4);
  });

  it('each get the correct response, next to any others', async () => {
    const [good, keyed] = [await world.connect('unsigned'), await world.connect('github_like')];
    const trigger = await world.trigger({ event: 'thing.made' });
    await world.server.db.query(`
      CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$`);
    await world.server.db.query(`
      CREATE TRIGGER refuse_poison BEFORE INSERT ON runs FOR EACH ROW
      WHEN (NEW.input::text LIKE '%poison%') EXECUTE FUNCTION refuse_poison()`);
    const posts = Array.from({ length: 10 }, (_, index) => [
      () => world.post(good, { type: 'thing.made', index }),
      () => world.post(good, { type: 'thing.gone' }),
      () => world.post(keyed, '{}', signed.github_like(keyed.secret!, '{}')),
      () => world.post(keyed, '{}', signed.github_like('guess', '{}')),
      () => world.post({ path: `/events/${'z'.repeat(43)}` }, '{}'),
      () => world.post(good, { type: 'thing.made', index: index === 5 ? 'poison' : '' }),
    ]).flat();
    const answers = await Promise.all(posts.map((post) => post()));
    const tally: Record<string, number> = {};
    for (const { status, body } of answers) {
      const outcome = `${status} ${body.code ?? body.run_ids!.length}`;
      tally[outcome] = (tally[outcome] ?? 0) + 1;
    }
    expect(tally).toEqual({
      '202 1': 10 + 10 + 9,
      '202 0': 10,
      '401 unauthorized': 10,
      '404 not_found': 10,
      '500 internal_error': 1,
    });
    expect(await world.count(trigger)).toBe(29);
    await world.server.db.query('DROP TRIGGER refuse_poison ON runs');
  });
});

describe('an event that many triggers wait for', () => {
  it('fires 60 in one transaction, and stores their megabyte once', async () => {
    const source = await world.connect('unsigned');
    const workflowId = await world.workflow();
    for (let count = 0; count < 60; count += 1)
      await world.trigger({ event: 'thing.made', integration_id: source.id }, { workflowId });
    const head = '{"type":"thing.made","x":"';
    const body = `${head}${'x'.repeat(MAX_HOOK_BYTES - head.length - 2)}"}`;
    const { status, body: answer } = await world.post(source, body, { 'webhook-id': 'large' });
    expect([status, new Set(answer.run_ids).size]).toEqual([202, 60]);
    const [stored] = await world.server.db.query<{
      runs: number;
      transactions: number;
      payloads: number;
      bytes: number;
    }>(
      `SELECT count(*) AS runs, count(DISTINCT r.xmin::text) AS transactions, count(DISTINCT p.id) AS payloads,
              max(length(p.body)) AS bytes
       FROM runs r JOIN payloads p ON p.id = r.payload_id WHERE r.trigger_id IN (SELECT id FROM triggers)`,
    );
    expect(stored).toEqual({ runs: 60, transactions: 1, payloads: 1, bytes: MAX_HOOK_BYTES });
    expect((await world.client.rest('GET', `/workflows/${workflowId}`)).body.run_count).toBe(60);
  });

  it('fires all of them or none', async () => {
    const source = await world.connect('unsigned');
    const triggers = await Promise.all(
      Array.from({ length: 6 }, () => world.trigger({ event: 'thing.made', integration_id: source.id })),
    );
    const holder = new pg.Client({ connectionString: world.server.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE firings IN ACCESS EXCLUSIVE MODE');
    const waiting = world.post(source, { type: 'thing.made' }, { 'webhook-id': 'held' });
    const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]);
    expect(early).toBe('waits');
    for (const trigger of triggers) expect(await world.count(trigger)).toBe(0);
    await holder.query('ROLLBACK');
    await holder.end();
    expect((await waiting).body.run_ids!.length).toBe(6);
    for (const trigger of triggers) expect(await world.count(trigger)).toBe(1);
  });
});
