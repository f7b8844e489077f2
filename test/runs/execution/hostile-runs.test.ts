import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readerOf } from '../../../src/features/actions/placeholders/output-value.js';
import { keptOutput } from '../../../src/features/runs/execution/step-output.js';
import { RunWorld } from '../../support/worlds/run-world.js';

const MEGABYTE = 1_000_000;
const INPUT = 'query ($id: ID!) { run(id: $id) { steps(index: 1) { name input } } }';

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

  describe('lets no step go on without what was cut', () => {
    const BIG = `{"id":5,"pad":"${'y'.repeat(300_000)}"}`;
    const MANY = `[${'{},'.repeat(20_001)}{}]`;
    const DEEP = `${'['.repeat(201)}${']'.repeat(201)}`;
    const CUT = 'The output of the step "big" is too large and was cut: the value cannot be read.';
    const TEXT =
      'The body of the step "big" has too many objects and lists, members or levels: the value cannot be read.';
    type Made = () => { name: string; kind: string; config: object };
    const condition =
      (path: string, operator: string, value?: unknown): Made =>
      () => ({
        name: 'check',
        kind: 'condition',
        config: { path: `steps.${path}`, operator, ...(value !== undefined && { value }) },
      });
    const reading = (text: string) => (() => world.call('after', { body: { text } })) as Made;

    it.each([
      ['a condition on a value', BIG, condition('big.body.id', 'equals', 5), CUT],
      ['a condition that nothing is there', BIG, condition('big.body.gone', 'not_exists'), CUT],
      ['a condition on the body', BIG, condition('big.body', 'contains', 'id'), CUT],
      ['a condition on the output', BIG, condition('big', 'contains', 'body'), CUT],
      ['a placeholder of a value', BIG, reading('{{ steps.big.body.id }}'), CUT],
      ['a placeholder of a text', 'x'.repeat(300_000), reading('All: {{ steps.big.body }}'), CUT],
      ['a placeholder of the output', 'é'.repeat(200_000), reading('{{ steps.big }}'), CUT],
      ['a condition on JSON that stayed a text', MANY, condition('big.body.0', 'exists'), TEXT],
      ['a placeholder into JSON that stayed a text', MANY, reading('{{ steps.big.body.0 }}'), TEXT],
      ['a condition on JSON of too many levels', DEEP, condition('big.body.0', 'not_exists'), TEXT],
    ])('%s', async (_, body, action, message) => {
      world.reply = ({ url }) => (url === '/big' ? { body } : {});
      const { name, ...rest } = action();
      const { hook } = await world.workflow([world.call('big'), { name, ...rest }, world.call('last')]);
      const run = await world.ended(await world.fire(hook));
      expect(run).toMatchObject({ status: 'failed', error: { code: 'too_large', message } });
      expect(world.received.map(({ url }) => url)).toEqual(['/big']);
      expect(Buffer.byteLength(JSON.stringify(run.steps[0].output))).toBeLessThanOrEqual(262_144);
      const [step] = (await world.client.graphql(INPUT, { id: run.id })).body.data.run.steps;
      expect([step.name, step.input === null]).toEqual([name, rest.kind !== 'condition']);
    });

    it('but what is left of the response, and texts that were never JSON', async () => {
      const headers = { 'x-thing': 'kept' };
      world.reply = ({ url }) => (url === '/big' ? { body: BIG, headers } : { body: '{ no JSON' });
      const { hook } = await world.workflow([
        world.call('big'),
        world.call('text', { body: { kept: '{{ steps.big.headers.x-thing }}', cut: '{{ steps.big.truncated }}' } }),
        condition('text.body.id', 'not_exists')(),
      ]);
      const run = await world.ended(await world.fire(hook));
      expect(run).toMatchObject({
        status: 'succeeded',
        steps: [{ output: { headers } }, {}, { output: { holds: true } }],
      });
      expect(JSON.parse(world.received[1]!.body)).toEqual({ kept: 'kept', cut: true });
    });

    it('and no headers that were too long to be kept', () => {
      const headers = { link: 'l'.repeat(40_000) };
      const output = JSON.parse(keptOutput({ status: 200, headers, body: BIG })!.text!);
      expect(output).toMatchObject({ status: 200, truncated: true });
      const pathTo = (...rest: string[]) => ['steps', 'big', ...rest];
      const read = readerOf('big', JSON.stringify(output), []);
      expect(() => read(pathTo('headers', 'link'))).toThrow(CUT);
      expect([read(pathTo('status')), read(pathTo('truncated'))]).toEqual([200, true]);
    });
  });
});
