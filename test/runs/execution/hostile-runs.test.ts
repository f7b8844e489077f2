import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../../support/worlds/run-world.js';

const MEGABYTE = 1_000_000;

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
  world.reply = () => ({});
});

/** The ended run of a call with this body. */
async function runOf(body: unknown, input: unknown): Promise<any> {
  const { hook } = await world.workflow([world.call('target', { body })]);
  return world.ended(await world.fire(hook, input));
}

async function stillWorks(): Promise<void> {
  expect(await runOf('{{ trigger.body.ok }}', { ok: true })).toMatchObject({ status: 'succeeded' });
}

describe('a run whose placeholders multiply what they hold', () => {
  const PLACEHOLDERS = 500;
  it.each<[string, unknown, unknown]>([
    ['500 texts', Array(PLACEHOLDERS).fill('{{ trigger.body }}'), 'x'.repeat(MEGABYTE)],
    ['500 in one text', '{{ trigger.body }}'.repeat(PLACEHOLDERS), 'x'.repeat(MEGABYTE)],
    ['500 lists', Array(PLACEHOLDERS).fill('{{ trigger.body }}'), Array(MEGABYTE / 2).fill(1)],
    ['500 lists in one text', 'a{{ trigger.body }}'.repeat(PLACEHOLDERS), Array(MEGABYTE / 2).fill(1)],
    ['500 texts that grow as JSON', Array(PLACEHOLDERS).fill('-{{ trigger.body }}'), '\u0001'.repeat(150_000)],
  ])('fails as `too_large` and leaves its worker alive: %s', async (_, body, input) => {
    const run = await runOf(body, input);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'too_large' }, steps: [{ attempt: 1 }] });
    expect(world.received).toHaveLength(0);
    await stillWorks();
  });

  it('fails as `too_large` in the path of an address too', async () => {
    const url = `${world.targetUrl}/${'{{ trigger.body }}'.repeat(PLACEHOLDERS)}`;
    const { hook } = await world.workflow([world.call('target', { url })]);
    const run = await world.ended(await world.fire(hook, 'x'.repeat(MEGABYTE)));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'too_large' } });
  });
});

describe('a run whose placeholders name inherited properties', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '__defineGetter__'];
  const PATHS = [
    ...NAMES.flatMap((name) => [`trigger.body.${name}`, `trigger.body.list.${name}`, `trigger.body.text.${name}`]),
    'trigger.body.constructor.constructor',
    'trigger.body.__proto__.polluted',
  ];

  it('finds nothing', async () => {
    const runs = await Promise.all(PATHS.map((path) => runOf(`{{ ${path} }}`, { list: [1], text: 'abc' })));
    expect(runs.map(({ error }) => error)).toEqual(
      PATHS.map((path) => ({ code: 'missing_path', message: `There is no ${path}.` })),
    );
  });

  it('reads own properties of such names as any other, and passes them on as they are', async () => {
    const input = JSON.parse('{"__proto__":{"polluted":1},"constructor":"mine"}') as object;
    const { hook } = await world.workflow([
      world.call('target', { body: { a: '{{ trigger.body.__proto__.polluted }}', all: '{{ trigger.body }}' } }),
    ]);
    const run = await world.ended(await world.fire(hook, input));
    expect(run.status).toBe('succeeded');
    expect(world.received[0]!.body).toBe('{"a":1,"all":{"__proto__":{"polluted":1},"constructor":"mine"}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('treats such names in a response as plain data', async () => {
    world.reply = ({ url }) => (url === '/one' ? { body: '{"__proto__":{"admin":true},"id":1}' } : {});
    const { hook } = await world.workflow([
      world.call('one'),
      world.call('two', { body: ['{{ steps.one.body }}', '{{ steps.one.body.__proto__.admin }}'] }),
    ]);
    expect(await world.ended(await world.fire(hook))).toMatchObject({ status: 'succeeded' });
    expect(world.received[1]!.body).toBe('[{"__proto__":{"admin":true},"id":1},true]');
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('accepts names of prototype properties as names of steps', async () => {
    const { hook } = await world.workflow([
      world.call('__proto__'),
      world.call('constructor', { body: '{{ steps.__proto__.status }}' }),
    ]);
    expect(await world.ended(await world.fire(hook))).toMatchObject({ status: 'succeeded' });
    expect(world.received[1]!.body).toBe('200');
  });
});

describe('a run whose target answers with a bomb', () => {
  it('keeps an answer that nests too deeply as text', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    world.reply = () => ({ body: deep });
    const run = await runOf(null, null);
    expect(run).toMatchObject({ status: 'succeeded', steps: [{ output: { body: deep } }] });
  });

  it('keeps an answer of more than 20,000 objects and lists as text', async () => {
    const listOf = (count: number): string => `[${Array.from({ length: count - 1 }, () => '{}').join()}]`;
    world.reply = ({ url }) => ({ body: listOf(url === '/most' ? 20_000 : 20_001) });
    const { hook } = await world.workflow([world.call('most'), world.call('more')]);
    const [most, more] = (await world.ended(await world.fire(hook))).steps;
    expect([most.output.body.length, more.output.body]).toEqual([19_999, listOf(20_001)]);
  });

  it('cuts stored outputs to 256 kB, and later steps read the same', async () => {
    world.reply = ({ url }) => (url === '/big' ? { body: '[' + '[],'.repeat(1_200_000) + '[]]' } : {});
    const { hook } = await world.workflow([
      world.call('big'),
      world.call('after', { body: { cut: '{{ steps.big.truncated }}', status: '{{ steps.big.status }}' } }),
    ]);
    const run = await world.ended(await world.fire(hook));
    expect(run).toMatchObject({ status: 'succeeded', steps: [{ output: { truncated: true, status: 200 } }, {}] });
    expect(Buffer.byteLength(JSON.stringify(run.steps[0].output))).toBeLessThanOrEqual(262_144);
    expect(JSON.parse(world.received[1]!.body)).toEqual({ cut: true, status: 200 });
  });
});
