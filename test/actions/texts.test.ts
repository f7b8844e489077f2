import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';
import { waiting } from '../waits/wait-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

const VALUE = '{{ trigger.body.value }}';
const approval = { name: 'ask', kind: 'wait_for_approval', config: { title: VALUE, text: VALUE } };
const mail = { name: 'mail', kind: 'send_email', config: { to: 'ada@example.com', subject: VALUE, text: VALUE } };

describe('a text for people that is one placeholder', () => {
  it.each([
    [7, '7'],
    [1.5, '1.5'],
    [true, 'true'],
    ['seven', 'seven'],
  ])('is text for %p', async (value, text) => {
    const asking = await world.workflow([approval]);
    const [wait] = await waiting(world, await world.fire(asking.hook, { value }));
    expect(wait).toMatchObject({ title: text });
    expect((await world.client.send('GET', new URL(wait.url).pathname)).body).toContain(text);
    const mailing = await world.workflow([mail]);
    const run = await world.fire(mailing.hook, { value });
    expect((await world.ended(run)).status).toBe('succeeded');
    const [sent] = await world.server.db.query(`SELECT subject, text FROM mails WHERE key = $1`, [`${run}-0`]);
    expect(sent).toEqual({ subject: text, text });
  });

  it.each([[{ a: 1 }], [[1]], [null]])('fails the step for %p, which no person can read', async (value) => {
    for (const action of [approval, mail]) {
      const { hook } = await world.workflow([action]);
      const run = await world.ended(await world.fire(hook, { value }));
      expect(run.steps[0].error).toMatchObject({ code: 'invalid_config' });
    }
  });
});

describe('a header that is one placeholder', () => {
  it.each([
    [7, '7'],
    [false, 'false'],
    ['seven', 'seven'],
  ])('is text for %p', async (value, text) => {
    world.received.length = 0;
    const { hook } = await world.workflow([world.call('target', { headers: { 'X-Order': VALUE } })]);
    expect((await world.ended(await world.fire(hook, { value }))).status).toBe('succeeded');
    expect(world.received.map(({ headers }) => headers['x-order'])).toEqual([text]);
  });

  it.each([[{ a: 1 }], [[1]], [null]])('fails the step for %p', async (value) => {
    const { hook } = await world.workflow([world.call('target', { headers: { 'X-Order': VALUE } })]);
    const run = await world.ended(await world.fire(hook, { value }));
    expect(run.steps[0].error).toMatchObject({ code: 'invalid_config' });
  });
});
