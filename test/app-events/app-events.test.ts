import { LONG_BYTES } from '../../src/platform/admission/long-work.js';
import { MAX_HOOK_BYTES } from '../../src/features/triggers/hooks/inbound-post.js';
import { Client } from '../support/http/client.js';
import { EventWorld, type Source } from './event-world.js';
import { signed } from './sign.js';
import { SHARED_SECRET } from './source-apps.js';
import { StillClock } from '../support/clock.js';

let world: EventWorld;
let unsigned: Source;
beforeAll(async () => {
  world = await EventWorld.open();
  unsigned = await world.connect('unsigned');
});
afterEach(() => world.server.db.query('DELETE FROM triggers'));
afterAll(() => world.close());

const seconds = () => Math.floor(world.server.clock.now().getTime() / 1_000);
const event = (more: object = {}) => ({ type: 'thing.made', ...more });
const signatureFailures = async () => {
  const { body } = await world.client.send('GET', '/metrics');
  return Number(/^event_signature_failures_total (\d+)/m.exec(String(body))?.[1]);
};

describe('POST /events/:token', () => {
  it('answers 202 with the ids of the queued runs, whose input is the payload as received', async () => {
    const [one, other] = [await world.trigger({ event: 'thing.made' }), await world.trigger({ event: 'thing.made' })];
    const text = '{"type":"thing.made", "b":[1,{"z":null}],"a":"é\\u0000", "n":1.50}';
    const { status, body } = await world.post(unsigned, text, { 'content-type': 'text/plain' });
    expect([status, Object.keys(body), body.accepted, body.run_ids!.length]).toEqual([
      202,
      ['accepted', 'run_ids'],
      true,
      2,
    ]);
    const runs = await Promise.all(body.run_ids!.map((id) => world.run(id)));
    expect(runs.map(({ trigger_id: id }) => id).sort()).toEqual([one.id, other.id].sort());
    for (const run of runs) {
      expect(run).toMatchObject({ status: 'queued', trigger_type: 'app_event', input: JSON.parse(text) });
      expect(await world.inputOf(run.id)).toBe(text);
      const { body: workflow } = await world.client.rest('GET', `/workflows/${run.workflow_id}`);
      expect(workflow.run_count).toBe(1);
    }
  });

  it.each([
    ['that no trigger waits for', event({ type: 'thing.gone' })],
    ['that the application is not said to have', event({ type: 'thing.eaten' })],
    ['without a name', { kind: 'thing.made' }],
    ['whose name is no text', { type: { made: true } }],
    ['that is no object', [1]],
    ['of nothing', ''],
  ])('takes an event %s, and fires nothing', async (_, body) => {
    expect(await world.post(unsigned, body)).toMatchObject({ status: 202, body: { accepted: true, run_ids: [] } });
  });

  it('fires nothing by a name that the application does not offer, though another one does', async () => {
    const other = await world.connect('other_unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: other.id });
    await world.trigger({ event: 'thing.gone' });
    const { body } = await world.post(other, { data: { kind: 'thing.gone' } });
    expect([body.run_ids, await world.count(trigger)]).toEqual([[], 0]);
  });

  it.each([
    ['what is no JSON', '{"a":}', 400, 'invalid_json'],
    ['201 levels', '['.repeat(201) + ']'.repeat(201), 400, 'validation_error'],
    ['one byte too much', JSON.stringify('x'.repeat(MAX_HOOK_BYTES - 1)), 413, 'payload_too_large'],
  ])('refuses %s', async (_, body, status, code) => {
    expect(await world.post(unsigned, body)).toMatchObject({ status, body: { code } });
  });

  it('accepts 1,048,576 bytes and 200 levels', async () => {
    const opening = '{"type":"thing.gone","x":';
    const levels = `${opening}${'['.repeat(199)}${']'.repeat(199)}}`;
    expect((await world.post(unsigned, levels)).status).toBe(202);
    const bytes = `${opening}"${'x'.repeat(MAX_HOOK_BYTES - opening.length - 3)}"}`;
    expect([bytes.length, (await world.post(unsigned, bytes)).status]).toEqual([MAX_HOOK_BYTES, 202]);
  });

  it('answers 404 to unknown tokens, and to one of a deleted integration or of an application without events', async () => {
    for (const path of ['/events/short', `/events/${'A'.repeat(43)}`, `/events/${'A'.repeat(43)}/`]) {
      for (let again = 0; again < 2; again += 1)
        expect(await world.post({ path }, event())).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    const gone = await world.connect('unsigned');
    expect((await world.post(gone, event({ type: 'thing.gone' }))).status).toBe(202);
    await world.client.rest('DELETE', `/integrations/${gone.id}`);
    expect((await world.post(gone, event({ type: 'thing.gone' }))).status).toBe(404);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('answers %s with 405 and Allow', async (method) => {
    const { status, headers, body } = await new Client(world.server.baseUrl).send(method, unsigned.path);
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'POST', 'method_not_allowed']);
  });

  it('counts the hops of runs', async () => {
    const trigger = await world.trigger({ event: 'thing.gone' });
    for (const [hops, status] of [
      ['4', 'queued'],
      ['5', 'skipped'],
    ] as const) {
      const { body } = await world.post(unsigned, event({ type: 'thing.gone' }), { 'Workflow-Hops': hops });
      expect(await world.run(body.run_ids![0]!)).toMatchObject({ status, trigger_id: trigger.id });
    }
  });

  it('is limited as hooks are', async () => {
    const limited = await EventWorld.open({ RATE_LIMITS: 'on', RATE_LIMIT_HOOK: '2' }, new StillClock());
    try {
      const source = await limited.connect('unsigned');
      const answers = await Promise.all(Array.from({ length: 8 }, () => limited.post(source, event())));
      const refused = answers.filter(({ status }) => status === 429);
      expect([answers.length, refused.length]).toEqual([8, 4]);
      expect(refused[0]!.headers.get('retry-after')).toBe('1');
    } finally {
      await limited.close();
    }
  });
});

describe('a filter', () => {
  it('lets only those triggers fire whose every path has exactly that value', async () => {
    const source = await world.connect('unsigned');
    const body = event({ deal: { stage: 'won', value: 5, tags: ['a', 'b'], lost: null, '0': 'zero' }, __proto__: 1 });
    const fires = async (filter?: object) => {
      const trigger = await world.trigger({
        event: 'thing.made',
        integration_id: source.id,
        ...(filter && { filter }),
      });
      await world.post(source, body);
      const fired = await world.count(trigger);
      await world.client.rest('DELETE', `/triggers/${trigger.id}`);
      return fired === 1;
    };
    expect(await fires()).toBe(true);
    expect(await fires({})).toBe(true);
    expect(await fires({ 'deal.stage': 'won', 'deal.value': 5, 'deal.tags.1': 'b', 'deal.lost': null })).toBe(true);
    expect(await fires({ 'deal.0': 'zero' })).toBe(true);
    for (const [path, value] of [
      ['deal.stage', 'lost'],
      ['deal.value', '5'],
      ['deal.missing', null],
      ['deal.tags.length', 2],
      ['deal.tags', 'a,b'],
      ['deal.stage.length', 3],
      ['constructor.name', 'Object'],
      ['deal.lost.x', null],
    ] as const)
      expect([path, await fires({ 'deal.stage': 'won', [path]: value })]).toEqual([path, false]);
  });
});

describe('the events of a trigger', () => {
  it('are those of its integration, or of each one of its account that offers them', async () => {
    const stranger = new Client(world.server.baseUrl, await world.server.key('read-write', 'stranger'));
    const [one, other, foreign] = [
      await world.connect('unsigned'),
      await world.connect('other_unsigned'),
      await world.connect('unsigned', stranger),
    ];
    const [ofOne, ofAny, ofStranger] = [
      await world.trigger({ event: 'thing.made', integration_id: one.id }),
      await world.trigger({ event: 'thing.made' }),
      await world.trigger({ event: 'thing.made' }, { client: stranger }),
    ];
    await world.post(one, event());
    await world.post(other, { data: { kind: 'thing.made' } });
    await world.post(foreign, event());
    expect([await world.count(ofOne), await world.count(ofAny)]).toEqual([1, 2]);
    const { body } = await stranger.rest('GET', `/runs?trigger_id=${ofStranger.id}`);
    expect(body.meta.total).toBe(1);
  });
});

describe('a signed event', () => {
  /** Body, correct headers and guessed headers, for each application that signs. */
  const cases: [type: string, body: string, headers: (source: Source, body: string) => Record<string, string>][] = [
    ['shop', '{"id": 1.0 }', ({ secret }, body) => signed.shop(secret!, body)],
    ['hub', '{"id": 1.0 }', ({ secret }, body) => signed.hub(secret!, body)],
    ['github_like', '{"id": 1.0 }', ({ secret }, body) => signed.github_like(secret!, body)],
    ['slack_like', '{"type": "thing.made" }', (_, body) => signed.slack_like(seconds(), body)],
    ['stripe_like', '{"type": "thing.made" }', (_, body) => signed.stripe_like(seconds(), body)],
    ['standard', '{"type": "thing.made" }', ({ secret }, body) => signed.standard(secret!, seconds(), body)],
    ['meta_like', '{"object": "thing.made" }', ({ secret }, body) => signed.meta_like(secret!, body)],
  ];

  it.each(cases)('of %s is accepted for the received bytes, and for no others', async (type, body, headersOf) => {
    const source = await world.connect(type);
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    const headers = headersOf(source, body);
    const failures = await signatureFailures();
    const wrong: [string, Record<string, string>][] = [
      [JSON.stringify(JSON.parse(body)), headers],
      [`${body}\n`, headers],
      [`\ufeff${body}`, headers],
      // Whether they are JSON is not checked.
      ['{"a":', headers],
      ['x'.repeat(LONG_BYTES + 1), headers],
      [body, {}],
      [
        body,
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/.{4}$/, '0000')])),
      ],
    ];
    for (const [sent, given] of wrong)
      expect(await world.post(source, sent, given)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await world.count(trigger)).toBe(0);
    expect((await signatureFailures()) - failures).toBe(wrong.length);
    const { status, body: answer } = await world.post(source, body, headers);
    expect([status, answer.run_ids?.length]).toEqual([202, 1]);
    expect(await world.inputOf(answer.run_ids![0]!)).toBe(body);
  });

  it.each(['slack_like', 'stripe_like', 'standard'] as const)('of %s is refused after five minutes', async (type) => {
    const source = await world.connect(type);
    const body = '{"type":"thing.made"}';
    const at = (time: number) =>
      type === 'standard' ? signed.standard(source.secret!, time, body) : signed[type](time, body);
    for (const [ago, status] of [
      [290, 202],
      [310, 401],
      [-310, 401],
    ] as const)
      expect([ago, (await world.post(source, body, at(seconds() - ago))).status]).toEqual([ago, status]);
  });

  it('is not accepted with the secret of another integration', async () => {
    const [one, other] = [await world.connect('github_like'), await world.connect('github_like')];
    expect((await world.post(one, '{}', signed.github_like(other.secret!, '{}'))).status).toBe(401);
    expect((await world.post(one, '{}', signed.github_like(one.secret!, '{}'))).status).toBe(202);
  });
});

describe('eventsUrl and eventsSecret', () => {
  it('are the URL that accepts events, and the secret that signs them', async () => {
    expect(unsigned.path).toMatch(/^\/events\/[\w-]{43}$/);
    expect(unsigned.secret).toBeNull();
    expect((await world.connect('slack_like')).secret).toBeNull();
    expect((await world.connect('shop')).secret).toMatch(/^[\w-]{43}$/);
    const { secret } = await world.connect('standard');
    expect(Buffer.from(secret!.replace('whsec_', ''), 'base64').toString('base64')).toBe(secret!.slice(6));
    expect(Buffer.from(secret!.slice(6), 'base64').length).toBe(32);
    expect(SHARED_SECRET).not.toBe(secret);
  });
});
