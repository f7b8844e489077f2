import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LONG_BYTES } from '../../src/platform/admission/long-work.js';
import { timeOf } from '../../src/platform/ids/ids.js';
import { MAX_HOOK_BYTES } from '../../src/features/triggers/hooks/inbound-post.js';
import { rowsOf } from '../support/database/rows-of.js';
import { HookWorld } from './hook-world.js';

let hooks: HookWorld;
let world: HookWorld['world'];
beforeAll(async () => {
  hooks = await HookWorld.open();
  ({ world } = hooks);
});
afterAll(() => hooks.close());

describe('POST /hooks/:token', () => {
  it('answers 202 with a queued run with the body and the actions of the workflow', async () => {
    const trigger = await world.trigger();
    const actionsId = '01938d2c-0000-7000-8000-000000000001';
    await world.db.query('UPDATE workflows SET actions_id = $2 WHERE id = $1', [trigger.workflowUuid, actionsId]);
    const answer = await hooks.post(trigger, '{"b":[1,{"z":null}],"a":"x"}', { 'content-type': 'text/plain' });
    expect(answer).toMatchObject({ status: 202, body: { accepted: true, run_id: expect.stringMatching(/^run_/) } });
    expect(Object.keys(answer.body)).toEqual(['accepted', 'run_id']);
    const run = await hooks.runOf(answer);
    expect(run).toMatchObject({
      account_id: trigger.accountId,
      workflow_id: trigger.workflowUuid,
      trigger_id: trigger.uuid,
      trigger_type: 'webhook',
      status: 'queued',
      status_reason: null,
      version: 1,
      attempt: 1,
      actions_id: actionsId,
      created_at: timeOf(run.id as string),
      finished_at: null,
    });
    expect(JSON.stringify(run.input)).toBe('{"b":[1,{"z":null}],"a":"x"}');
    expect(await hooks.runCount(trigger)).toBe(1);
  });

  it('is looked up with others before a long body is read, so that made-up tokens take few statements', async () => {
    const { found, statements } = await rowsOf(world.db, 'triggers', () =>
      Promise.allSettled(Array.from({ length: 60 }, () => hooks.store.ownerOf(randomBytes(32)))),
    );
    expect(found.map(({ status }) => status)).toEqual(Array(60).fill('rejected'));
    expect(statements).toHaveLength(1);
  });

  it('is parsed in the turn of its account, whichever of its hooks was posted to', async () => {
    const triggers = [await world.trigger(), await world.trigger()];
    for (const trigger of triggers) await hooks.post(trigger);
    hooks.longWork.lanes.length = 0;
    for (const trigger of triggers) await hooks.post(trigger, JSON.stringify('x'.repeat(LONG_BYTES)));
    expect(hooks.longWork.lanes).toEqual(triggers.map(({ accountId }) => accountId));
  });

  it.each([
    ['nothing', '', null],
    ['a number', ' 12.5e1 ', 125],
    ['a text', '"é\\u0000\\ud800"', 'é\0\ud800'],
    ['a byte order mark', '\ufeff[true]', [true]],
    ['200 levels', '['.repeat(200) + ']'.repeat(200), expect.any(Array)],
  ])('takes %s', async (_, body, input) => {
    const answer = await hooks.post(await world.trigger(), body);
    expect(answer.status).toBe(202);
    expect((await hooks.runOf(answer)).input).toEqual(input);
  });

  it.each([
    ['what is no JSON', '{"a":}', 'invalid_json'],
    ['two values', '1 2', 'invalid_json'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'invalid_json'],
    ['201 levels', '['.repeat(201) + ']'.repeat(201), 'validation_error'],
  ])('refuses %s', async (_, body, code) => {
    const trigger = await world.trigger();
    expect(await hooks.post(trigger, body)).toMatchObject({ status: 400, body: { code, message: expect.any(String) } });
    expect(await hooks.runCount(trigger)).toBe(0);
  });

  it('takes 1,048,576 bytes and not one more, with and without a declared length', async () => {
    const trigger = await world.trigger();
    const fitting = JSON.stringify('x'.repeat(MAX_HOOK_BYTES - 2));
    expect((await hooks.post(trigger, fitting)).status).toBe(202);
    expect(await hooks.post(trigger, `${fitting} `)).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
    const streamed = await fetch(hooks.addressOf(trigger), {
      method: 'POST',
      body: new Blob([fitting, ' ']).stream(),
      duplex: 'half',
    });
    expect(streamed.status).toBe(413);
  });

  it.each(['GET', 'PUT', 'DELETE'])('answers %s with 405 and Allow', async (method) => {
    const { status, headers, body } = await hooks.post(await world.trigger(), '{}', {}, method);
    expect({ status, allow: headers.get('allow'), code: body.code }).toEqual({
      status: 405,
      allow: 'POST',
      code: 'method_not_allowed',
    });
  });

  it.each(['short', 'A'.repeat(43), `${'A'.repeat(42)}é`])('answers 404 to the unknown token %s', async (token) => {
    const hook = { webhookUrl: `http://gateway.test/hooks/${token}` };
    for (let again = 0; again < 2; again += 1)
      expect(await hooks.post(hook)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('asks the database once a second at most for a token that is unknown', async () => {
    const hook = { webhookUrl: `http://gateway.test/hooks/${'B'.repeat(43)}` };
    const statements = async () => {
      const { found, statements: lookups } = await rowsOf(world.db, 'triggers', () => hooks.post(hook));
      expect(found.status).toBe(404);
      return lookups.length;
    };
    const start = world.clock.time;
    expect([await statements(), await statements()]).toEqual([1, 0]);
    world.clock.time = new Date(start.getTime() + 1_000);
    expect(await statements()).toBe(1);
    world.clock.time = start;
  });

  it('answers 404 once the trigger or its workflow is deleted', async () => {
    const [one, other] = [await world.trigger(), await world.trigger()];
    expect((await hooks.post(one)).status).toBe(202);
    await world.triggers.delete(world.context, one.id);
    await world.workflows.delete(world.context, other.workflowId);
    for (const trigger of [one, other]) expect((await hooks.post(trigger)).status).toBe(404);
  });
});

describe('a hook that may not run', () => {
  it('follows each change of the workflow and the trigger at once, and counts only queued runs', async () => {
    const trigger = await world.trigger();
    const setWorkflow = (status: 'paused' | 'active') =>
      world.workflows.update(world.context, trigger.workflowId, { status });
    const setTrigger = (status: 'paused' | 'active') => world.triggers.update(world.context, trigger.id, { status });
    const reason = async () => (await hooks.post(trigger)).body.reason;
    expect(await reason()).toBeUndefined();
    await setTrigger('paused');
    expect(await reason()).toBe('trigger_paused');
    await setWorkflow('paused');
    expect(await reason()).toBe('workflow_not_active');
    await setTrigger('active');
    expect(await reason()).toBe('workflow_not_active');
    await setWorkflow('active');
    expect(await reason()).toBeUndefined();
    await world.db.query(`UPDATE triggers SET status = 'error' WHERE id = $1`, [trigger.uuid]);
    expect(await reason()).toBe('trigger_error');
    expect(await hooks.runCount(trigger)).toBe(2);
  });

  it('leaves a skipped run, which has ended', async () => {
    const trigger = await world.trigger();
    await world.triggers.update(world.context, trigger.id, { status: 'paused' });
    const answer = await hooks.post(trigger, '[1]');
    expect(answer).toMatchObject({ status: 202, body: { accepted: false, reason: 'trigger_paused' } });
    const run = await hooks.runOf(answer);
    expect(run).toMatchObject({ status: 'skipped', status_reason: 'trigger_paused', input: [1] });
    expect(run.finished_at).toEqual(run.created_at);
  });

  it('has passed five of our own runs', async () => {
    const trigger = await world.trigger();
    const hop = async (hops: string) => (await hooks.post(trigger, '{}', { 'Workflow-Hops': hops })).body;
    for (const hops of ['0', '4', 'x', '-9']) expect(await hop(hops)).toMatchObject({ accepted: true });
    for (const hops of ['5', '9999999999999999999999'])
      expect(await hop(hops)).toMatchObject({ accepted: false, reason: 'loop' });
    expect(await hooks.runCount(trigger)).toBe(4);
  });
});

describe('a signed hook', () => {
  const secret = 'sécret';
  const body = '{"a": 1 }';
  const sign = (text: string, key = secret) => `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;

  it('takes the HMAC-SHA256 of the raw body and refuses anything else without a trace', async () => {
    const trigger = await world.trigger({ config: { secret } });
    const before = hooks.badSignatures;
    const bad = [
      undefined,
      '',
      sign('{"a":1}'),
      sign(body, 'other'),
      sign(body).slice(7),
      `${sign(body)}00`,
      'sha256=',
    ];
    for (const signature of bad) {
      const answer = await hooks.post(trigger, body, signature === undefined ? {} : { 'X-Signature-256': signature });
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
    expect(hooks.badSignatures - before).toBe(bad.length);
    expect(await world.runs.list(world.context, { triggerId: trigger.id }, { page: 1, perPage: 1 })).toMatchObject({
      meta: { total: 0 },
    });
    expect((await hooks.post(trigger, body, { 'X-Signature-256': sign(body) })).status).toBe(202);
    expect((await hooks.post(trigger, body, { 'X-Signature-256': sign(body).toUpperCase() })).status).toBe(202);
  });

  it.each([
    ['short', '{'],
    ['long', '{'.repeat(LONG_BYTES + 1)],
  ])('comes before what is wrong with a %s body', async (_, faulty) => {
    const trigger = await world.trigger({ config: { secret } });
    expect(await hooks.post(trigger, faulty)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await hooks.post(trigger, faulty, { 'X-Signature-256': sign(faulty) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    });
  });

  it('reads the header that its config names, and follows a change of the secret at once', async () => {
    const trigger = await world.trigger({ config: { secret, signature_header: 'X-Hub-Signature' } });
    const post = (header: string, key?: string) => hooks.post(trigger, body, { [header]: sign(body, key) });
    expect((await post('X-Signature-256')).status).toBe(401);
    expect((await post('x-hub-signature')).status).toBe(202);
    await world.triggers.update(world.context, trigger.id, { config: { secret: 'other' } });
    expect((await post('x-hub-signature')).status).toBe(401);
    expect((await post('X-Signature-256', 'other')).status).toBe(202);
    await world.triggers.update(world.context, trigger.id, { config: {} });
    expect((await hooks.post(trigger, body)).status).toBe(401);
    await world.triggers.update(world.context, trigger.id, { config: { secret: null } });
    expect((await hooks.post(trigger, body)).status).toBe(202);
  });
});

describe('a hook with a dedupe header', () => {
  const config = { dedupe_header: 'X-Event-Id' };

  it('fires once for a value, names the first run afterwards, and remembers it for 30 days', async () => {
    const trigger = await world.trigger({ config });
    const post = (value: string) => hooks.post(trigger, '{}', { 'x-event-id': value });
    const first = await post('evt 1');
    expect(first.body.accepted).toBe(true);
    expect(await post('evt 1')).toMatchObject({
      status: 202,
      body: { accepted: false, reason: 'duplicate', run_id: first.body.run_id },
    });
    expect((await post('evt 2')).body.accepted).toBe(true);
    const start = world.clock.time;
    world.clock.time = new Date(start.getTime() + 30 * 86_400_000 - 1);
    expect((await post('evt 1')).body.reason).toBe('duplicate');
    world.clock.time = new Date(start.getTime() + 30 * 86_400_000);
    const again = await post('evt 1');
    expect(again.body.accepted).toBe(true);
    expect((await post('evt 1')).body).toMatchObject({ reason: 'duplicate', run_id: again.body.run_id });
    world.clock.time = start;
    expect(await hooks.runCount(trigger)).toBe(3);
  });

  it('never takes identical bodies for duplicates, nor the same value at another trigger', async () => {
    const [one, other] = [await world.trigger({ config }), await world.trigger({ config })];
    const several: Record<string, string>[] = [{}, {}, { 'x-event-id': '' }, { 'x-event-id': 'e' }];
    for (const headers of several) expect((await hooks.post(one, '{}', headers)).body.accepted).toBe(true);
    expect((await hooks.post(other, '{}', { 'x-event-id': 'e' })).body.accepted).toBe(true);
  });

  it('tells long values apart', async () => {
    const trigger = await world.trigger({ config });
    const long = 'v'.repeat(8_000);
    const accepted = async (value: string) => (await hooks.post(trigger, '{}', { 'x-event-id': value })).body.accepted;
    expect([await accepted(long), await accepted(`${long}2`), await accepted(long)]).toEqual([true, true, false]);
  });

  it('may fire later with a value that was skipped, and a duplicate stays one while it is paused', async () => {
    const trigger = await world.trigger({ config });
    const post = (value: string) => hooks.post(trigger, '{}', { 'x-event-id': value });
    const set = (status: 'paused' | 'active') => world.triggers.update(world.context, trigger.id, { status });
    const first = await post('a');
    await set('paused');
    expect((await post('b')).body.reason).toBe('trigger_paused');
    expect((await post('a')).body).toMatchObject({ reason: 'duplicate', run_id: first.body.run_id });
    await set('active');
    expect((await post('b')).body.accepted).toBe(true);
  });
});
