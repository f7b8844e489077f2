import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/run-world.js';

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
  run = await world.fire(hook);
  await world.ended(run);
});
afterAll(() => world.close());

/** The run with this of its steps, the statements about steps that it took, and the names of steps read with outputs. */
async function ask(selection: string, fragments = ''): Promise<{ run: any; statements: string[]; whole: string[] }> {
  const { db } = world.server;
  const statements: string[] = [];
  const whole: string[] = [];
  const query = db.query.bind(db);
  db.query = async <T extends object>(text: string, values?: readonly unknown[]) => {
    const rows = await query<T>(text, values);
    if (!text.includes('FROM steps')) return rows;
    statements.push(text);
    for (const row of rows as { name?: string; output?: unknown }[])
      if (row.output !== undefined) whole.push(row.name!);
    return rows;
  };
  try {
    const { body } = await world.client.graphql(`{ run(id: "${run}") { ${selection} } } ${fragments}`);
    expect(body.errors).toBeUndefined();
    return { run: body.data.run, statements, whole };
  } finally {
    db.query = query;
  }
}

describe('the steps of a run', () => {
  it('are read without their outputs by who follows how it goes', async () => {
    const { run: found, statements } = await ask('steps { index name status startedAt }');
    expect(found.steps).toMatchObject([
      { index: 0, name: 'a', status: 'SUCCEEDED' },
      { index: 1, name: 'b', status: 'SUCCEEDED' },
      { index: 2, name: 'c', status: 'SUCCEEDED' },
    ]);
    expect(statements).toEqual([expect.not.stringContaining('output')]);
  });

  it.each([
    ['steps { output }', ''],
    ['steps { ...S }', 'fragment S on Step { output }'],
    ['bare: steps { name } steps { output }', ''],
  ])('come with their outputs by one statement for %s', async (selection, fragment) => {
    const { run: found, statements } = await ask(selection, fragment);
    expect(found.steps.map(({ output }: any) => output.body.from)).toEqual(['/a', '/b', '/c']);
    expect(statements).toEqual([expect.stringContaining('"output"')]);
  });

  it('are asked for one by one, with what went in and came out', async () => {
    const { run: found } = await ask('steps(index: 1) { name input output }');
    expect(found.steps).toEqual([
      { name: 'b', input: expect.objectContaining({ body: '/a' }), output: expect.objectContaining({ status: 200 }) },
    ]);
    expect((await ask('steps(index: 3) { name } first: steps(index: 0) { name } steps2: steps { name }')).run).toEqual({
      steps: [],
      first: [{ name: 'a' }],
      steps2: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
  });

  it('have inputs that cost the outputs which their configs name, and no others', async () => {
    const { run: found, whole } = await ask('steps(index: 2) { input }');
    expect(found.steps).toMatchObject([{ input: { body: { deep: ['after /b'] } } }]);
    expect(whole).toEqual(['b']);
    expect((await ask('steps(index: 0) { input }')).whole).toEqual([]);
  });
});
