import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';
import { rowsOf } from '../support/database/rows-of.js';

/**
 * JSON texts of this many bytes: letters that compress to nothing, noise that does not, and a character of three bytes.
 */
const JSON_TEXTS: readonly [kind: string, text: (bytes: number) => string][] = [
  ['of one letter', (bytes) => JSON.stringify('x'.repeat(bytes - 2))],
  ['of noise', (bytes) => JSON.stringify(noise(bytes - 2))],
  ['of three-byte characters', (bytes) => JSON.stringify('€'.repeat((bytes - 4) / 3) + 'xx')],
];
const LIMIT = 16_384;

let seed = 7;
function noise(length: number): string {
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (seed % 26));
  }).join('');
}

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

/** A run with such a text as input, in its own workflow. */
async function runWith(text: string): Promise<{ workflow: string; run: string }> {
  const { id, hook } = await world.workflow([]);
  const run = (await world.client.send('POST', hook, { body: text })).body.run_id as string;
  await world.ended(run);
  return { workflow: id, run };
}

/** Every list of runs, and whether it omits the input. */
async function shownOf(workflow: string): Promise<{ input: unknown; omitted: boolean }[]> {
  const { body: all } = await world.client.rest('GET', `/runs?workflow_id=${workflow}`);
  const { body: own } = await world.client.rest('GET', `/workflows/${workflow}/runs`);
  const { body } = await world.client.graphql(
    `query ($id: ID!) { runs(workflowId: $id) { items { input inputOmitted } }
      workflow(id: $id) { runs { items { ...R } } lastRun { ...R } } } fragment R on Run { input inputOmitted }`,
    { id: workflow },
  );
  const { runs, workflow: found } = body.data;
  return [
    ...[...all.data, ...own.data].map(({ input, ...run }) => ({ input, omitted: 'input_omitted' in run })),
    ...[...runs.items, ...found.runs.items, found.lastRun].map(({ input, inputOmitted }) => ({
      input,
      omitted: inputOmitted,
    })),
  ];
}

describe('the input of a run in a list', () => {
  it.each(JSON_TEXTS)('is there with 16,384 bytes %s', async (_, text) => {
    const given = text(LIMIT);
    expect(Buffer.byteLength(given)).toBe(LIMIT);
    const { workflow } = await runWith(given);
    expect(await shownOf(workflow)).toEqual(Array(5).fill({ input: JSON.parse(given), omitted: false }));
  });

  it.each(JSON_TEXTS)('is omitted with more %s, and not read either', async (_, text) => {
    const given = text(LIMIT + 3);
    const { workflow, run } = await runWith(given);
    const { found, statements } = await rowsOf(world.server.db, 'runs', () => shownOf(workflow));
    expect(found).toEqual(Array(5).fill({ input: null, omitted: true }));
    expect(JSON.stringify(statements).length).toBeLessThan(LIMIT);

    const whole = JSON.parse(given) as unknown;
    const alone = await world.run(run);
    expect(alone).toMatchObject({ input: whole });
    expect(alone).not.toHaveProperty('input_omitted');
    const { body } = await world.client.graphql(`{ run(id: "${run}") { input inputOmitted } }`);
    expect(body.data.run).toEqual({ input: whole, inputOmitted: false });
  });

  it('is not marked as omitted when there is none', async () => {
    const { workflow, run } = await runWith('');
    expect(await shownOf(workflow)).toEqual(Array(5).fill({ input: null, omitted: false }));
    const { body } = await world.client.graphql(`{ workflow(id: "${workflow}") { lastRun { inputOmitted } } }`);
    expect(body.data.workflow.lastRun).toEqual({ inputOmitted: false });
    expect((await world.run(run)).input).toBeNull();
  });
});

describe('the output of a step in a list', () => {
  /** The output as read in a list of runs, also at one index, and in one run, also at one index of a link. */
  const stepsOf = async (workflow: string, run: string) => {
    const { body } = await world.client.graphql(
      `query ($workflow: ID!, $run: ID!) { runs(workflowId: $workflow) { items { steps { ...S } first: steps(index: 0) { ...S } } }
        run(id: $run) { steps { ...S } } workflow(id: $workflow) { lastRun { steps(index: 0) { ...S } } } }
        fragment S on Step { output outputOmitted }`,
      { workflow, run },
    );
    const [listed] = body.data.runs.items;
    return [listed.steps, listed.first, body.data.run.steps, body.data.workflow.lastRun.steps].map(([step]) => step);
  };
  const ended = async (length: number) => {
    // One date for all, and no length: the headers are part of the output.
    const headers = { date: 'x', 'transfer-encoding': 'chunked', 'content-type': 'text/plain' };
    world.reply = () => ({ headers, body: 'x'.repeat(length) });
    const { id, hook } = await world.workflow([world.call('a')]);
    const run = await world.fire(hook);
    await world.ended(run);
    return { workflow: id, run, output: (await world.run(run)).steps[0].output as object };
  };

  it('is there with 16,384 bytes, and left out with one more, but for a single run', async () => {
    const { output } = await ended(1);
    const rest = LIMIT - JSON.stringify(output).length + 1;
    const fits = await ended(rest);
    expect(JSON.stringify(fits.output).length).toBe(LIMIT);
    expect(await stepsOf(fits.workflow, fits.run)).toEqual(
      Array(4).fill({ output: fits.output, outputOmitted: false }),
    );
    const large = await ended(rest + 1);
    const whole = { output: large.output, outputOmitted: false };
    const omitted = { output: null, outputOmitted: true };
    expect(await stepsOf(large.workflow, large.run)).toEqual([omitted, omitted, whole, whole]);
  });
});
