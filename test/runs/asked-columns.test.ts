import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstEvent } from '../security/event-stream.js';
import { rowsOf } from '../support/database/rows-of.js';
import { RunWorld } from '../support/worlds/run-world.js';

let world: RunWorld;
let run: string;
beforeAll(async () => {
  world = await RunWorld.open();
  world.reply = ({ url }) => ({ body: { from: url } });
  const { hook } = await world.workflow([
    world.call('a'),
    world.call('b', { body: '{{ steps.a.body.from }}' }),
    world.call('c', { body: { deep: ['after {{ steps.b.body.from }}'] } }),
  ]);
  run = await world.fire(hook, { order: 7 });
  await world.ended(run);
});
afterAll(() => world.close());

async function ask(document: string): Promise<any> {
  const { body } = await world.client.graphql(document);
  expect(body.errors).toBeUndefined();
  return body.data;
}

/**
 * Reads a run with this selection of its steps. @returns it, the number of statements on steps, and the steps read with
 * outputs.
 */
async function askOfRun(selection: string, fragments = ''): Promise<{ run: any; cost: number; whole: string[] }> {
  const { found, statements } = await rowsOf(world.server.db, 'steps', () =>
    ask(`{ run(id: "${run}") { ${selection} } } ${fragments}`),
  );
  const rows = statements.flat() as { name: string; outputText?: unknown }[];
  const whole = rows.filter(({ outputText }) => outputText !== undefined).map(({ name }) => name);
  return { run: found.run, cost: statements.length, whole };
}

describe('the steps of a run', () => {
  it('are read without their outputs by a query for their status', async () => {
    const { run: found, cost, whole } = await askOfRun('steps { index name status startedAt }');
    expect(found.steps).toMatchObject([
      { index: 0, name: 'a', status: 'SUCCEEDED' },
      { index: 1, name: 'b', status: 'SUCCEEDED' },
      { index: 2, name: 'c', status: 'SUCCEEDED' },
    ]);
    expect({ cost, whole }).toEqual({ cost: 1, whole: [] });
  });

  it.each([
    ['steps { output }', ''],
    ['steps { ...S }', 'fragment S on Step { output }'],
    ['bare: steps { name } steps { output }', ''],
  ])('come with their outputs by one statement for %s', async (selection, fragment) => {
    const { run: found, cost, whole } = await askOfRun(selection, fragment);
    expect(found.steps.map(({ output }: any) => output.body.from)).toEqual(['/a', '/b', '/c']);
    expect({ cost, whole }).toEqual({ cost: 1, whole: ['a', 'b', 'c'] });
  });

  it('can be read one by one, with input and output', async () => {
    const { run: found } = await askOfRun('steps(index: 1) { name input output }');
    expect(found.steps).toEqual([
      { name: 'b', input: expect.objectContaining({ body: '/a' }), output: expect.objectContaining({ status: 200 }) },
    ]);
    expect(
      (await askOfRun('steps(index: 3) { name } first: steps(index: 0) { name } steps2: steps { name }')).run,
    ).toEqual({
      steps: [],
      first: [{ name: 'a' }],
      steps2: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
  });

  it('read only those outputs for their inputs that their configs name', async () => {
    const { run: found, whole } = await askOfRun('steps(index: 2) { input }');
    expect(found.steps).toMatchObject([{ input: { body: { deep: ['after /b'] } } }]);
    expect(whole).toEqual(['b']);
    expect((await askOfRun('steps(index: 0) { input }')).whole).toEqual([]);
  });
});

/** An array of empty objects takes twenty times its text. */
describe('the inputs and outputs of runs', () => {
  it('are read as text, and parsed one by one while the response is written', async () => {
    const document = `{ runs { items { input steps { output } } } }`;
    const { found, statements } = await rowsOf(world.server.db, 'runs', () =>
      rowsOf(world.server.db, 'steps', () => ask(document)),
    );
    expect(found.found.runs.items).toMatchObject([
      { input: { order: 7 }, steps: [{ output: { status: 200 } }, {}, {}] },
    ]);
    const rows = [...statements.flat(), ...found.statements.flat()] as Record<string, unknown>[];
    const values = rows.flatMap(({ input, inputText, output, outputText }) => [
      input ?? output,
      inputText ?? outputText,
    ]);
    expect(values.filter((value) => value !== undefined)).toEqual([
      '{"order":7}',
      ...[1, 2, 3].map(() => expect.stringMatching(/^{"status":200,.*}$/)),
    ]);
  });
});

describe('the input of a run', () => {
  /** Of the run, by its id. */
  const documents = (selection: string): string[] => [
    `{ run(id: "${run}") { ${selection} } }`,
    `{ runs { items { ${selection} } meta { total } } }`,
    `{ runs { ...Page } } fragment Page on RunPage { items { ... on Run { ${selection} } } }`,
    `{ workflows { items { lastRun { ${selection} } } } }`,
    `{ bare: run(id: "${run}") { id } run(id: "${run}") { ...R } } fragment R on Run { ${selection} }`,
    `{ workflows { items { runs { items { ${selection} } } } } }`,
  ];

  it('is read only for queries that ask for it', async () => {
    for (const document of documents('status error { code }')) {
      const { statements } = await rowsOf(world.server.db, 'runs', () => ask(document));
      expect([document, statements.flat().filter((row) => 'inputText' in row)]).toEqual([document, []]);
    }
  });

  it('is in the response to a query for it, on every path to the run', async () => {
    for (const document of documents('id input')) {
      const found = JSON.stringify(await ask(document));
      expect([document, found]).toEqual([document, expect.stringContaining(`{"id":"${run}","input":{"order":7}}`)]);
    }
    const { statements } = await rowsOf(world.server.db, 'runs', () => ask(documents('id input')[0]!));
    expect(statements).toHaveLength(1);
  });

  it.each([
    ['status', 0],
    ['...R', 1],
  ])('comes with events likewise: run { %s }', async (selection, inputs) => {
    const fragment = selection === '...R' ? 'fragment R on Run { input }' : '';
    const document = `subscription { runStatusChanged(runId: "${run}") { run { ${selection} } } } ${fragment}`;
    const { found, statements } = await rowsOf(world.server.db, 'runs', () =>
      firstEvent(world.client, document, {}, 60_000),
    );
    expect(found?.data.runStatusChanged.run).toEqual(inputs === 1 ? { input: { order: 7 } } : { status: 'SUCCEEDED' });
    expect(statements.flat().filter((row) => 'inputText' in row)).toHaveLength(inputs);
  });
});
