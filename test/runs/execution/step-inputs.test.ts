import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

/** The inputs of the steps of a run that fires these actions, once it has ended. */
async function inputsOf(actions: readonly object[], body: unknown): Promise<any> {
  const { hook } = await world.workflow(actions);
  const id = await world.fire(hook, body);
  await world.ended(id);
  return inputs(id);
}

async function inputs(id: string): Promise<any> {
  const { body } = await world.client.graphql(`{ run(id: "${id}") { steps { input } } }`);
  return body.errors ?? body.data.run.steps.map(({ input }: { input: unknown }) => input);
}

describe('the input of a step', () => {
  it('is its config with the placeholders filled in', async () => {
    world.reply = ({ url }) => ({ body: { from: url } });
    const [first, second] = await inputsOf(
      [
        world.call('a', { body: { order: '{{ trigger.body.id }}', run: '{{ trigger.type }}' } }),
        world.call('b', { body: 'after {{ steps.a.body.from }}' }),
      ],
      { id: 7 },
    );
    expect(first).toEqual({ method: 'POST', url: `${world.targetUrl}/a`, body: { order: 7, run: 'webhook' } });
    expect(second).toEqual({ method: 'POST', url: `${world.targetUrl}/b`, body: 'after /a' });
  });

  it('shows which headers were sent, and none of their values', async () => {
    const headers = { Authorization: 'Bearer of-the-user', 'X-Order': '{{ trigger.body.secret }}' };
    const [input] = await inputsOf([world.call('a', { headers })], { secret: 'whispered' });
    expect(world.received.at(-1)!.headers).toMatchObject({
      authorization: 'Bearer of-the-user',
      'x-order': 'whispered',
    });
    expect(input.headers).toEqual({ Authorization: '[hidden]', 'X-Order': '[hidden]' });
    expect(JSON.stringify(input)).not.toMatch(/of-the-user|whispered/);
  });

  it('is null if a placeholder finds no value, which the error of the step says', async () => {
    expect(await inputsOf([world.call('a', { body: '{{ trigger.body.lost }}' })], {})).toEqual([null]);
  });

  it('uses the actions that the run started with', async () => {
    const { id: workflow, hook } = await world.workflow([world.call('old')]);
    const run = await world.fire(hook);
    await world.ended(run);
    await world.client.rest('PUT', `/workflows/${workflow}/actions`, { body: { actions: [] } });
    expect(await inputs(run)).toMatchObject([{ url: `${world.targetUrl}/old` }]);
    await world.client.rest('DELETE', `/workflows/${workflow}`);
    expect(await inputs(run)).toMatchObject([{ url: `${world.targetUrl}/old` }]);
  });

  it('leaves out long parts, and is refused if an operation asks for too much', async () => {
    const text = 'x'.repeat(900_000);
    const call = (name: string) => world.call(name, { body: { text: '{{ trigger.body }}' } });
    expect(await inputsOf([call('a')], text)).toEqual([
      { method: 'POST', url: `${world.targetUrl}/a`, truncated: true },
    ]);
    const names = Array.from({ length: 10 }, (_, place) => `call${place}`);
    const [error] = await inputsOf(names.map(call), text);
    expect(error.extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'input' }] });
  });

  it('is refused before too much is parsed, and nothing is where the configs have no placeholder', async () => {
    const large = JSON.stringify({ x: 1, rest: 'x'.repeat(1_000_000) });
    const runsOf = async (config: object) => {
      const { id, hook } = await world.workflow([world.call('a', config)]);
      const runs = await Promise.all(Array.from({ length: 17 }, () => world.fire(hook, { x: 1 })));
      for (const run of runs) await world.ended(run);
      const of = `FROM workflows w WHERE w.id = r.workflow_id AND w.id = (SELECT max(id::text)::uuid FROM workflows)`;
      await world.server.db.query(`UPDATE runs r SET input = $1 ${of}`, [large]);
      return { id, runs };
    };
    const ask = async (id: string, count: number) =>
      (
        await world.client.graphql(
          `{ workflow(id: "${id}") { runs(perPage: ${count}) { items { steps { input } } } } }`,
        )
      ).body;
    const plain = await runsOf({});
    expect((await ask(plain.id, 17)).data.workflow.runs.items[16].steps[0].input).toMatchObject({ method: 'POST' });
    const reading = await runsOf({ body: '{{ trigger.body.x }}' });
    expect((await ask(reading.id, 16)).data.workflow.runs.items[15].steps[0].input).toMatchObject({ body: 1 });
    const { errors } = await ask(reading.id, 17);
    expect(errors?.[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'input' }] });
  });

  it('needs as many statements for many runs as for one', async () => {
    const { id, hook } = await world.workflow([world.call('a'), world.call('b')]);
    const once = async () => {
      const before = world.server.db.statements;
      await world.client.graphql(`{ workflow(id: "${id}") { runs { items { steps { input } } } } }`);
      return world.server.db.statements - before;
    };
    await world.ended(await world.fire(hook));
    // The minimum of several: jobs of the service send statements too.
    const one = Math.min(await once(), await once(), await once(), await once());
    for (const run of [await world.fire(hook), await world.fire(hook), await world.fire(hook)]) await world.ended(run);
    await until(async () => (await once()) <= one);
  });
});
