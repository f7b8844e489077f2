import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pruneRunsOfDeletedWorkflowsJob } from '../../../src/features/runs/retention/deleted-workflows.job.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { INLINE_BYTES } from '../../../src/platform/payloads.js';
import { RunWorld } from '../../support/worlds/run-world.js';

const DAY_MS = 86_400_000;
/** Texts that no compression makes shorter. */
const text = (bytes: number) => randomBytes(bytes / 2).toString('hex');
/** Outputs that stay in their row, that lists show, and that lists omit. */
const OUTPUTS = { small: 'little', medium: text(10_000), large: text(200_000) };

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

const sql = (query: string, values: unknown[] = []) => world.server.db.query<any>(query, values);
const retry = async (id: string): Promise<string> => {
  const { status, body } = await world.client.rest('POST', `/runs/${id}/retry`);
  expect(status).toBe(201);
  return body.id;
};
/** The stored bytes of each output of a run, and its payload. */
const stored = (id: string): Promise<{ name: string; bytes: number | null; payload: string | null }[]> =>
  sql(
    `SELECT s.name, pg_column_size(s.output) AS bytes, s.payload_id AS payload FROM steps s
     WHERE s.run_id = $1 AND s.name <> 'last' ORDER BY s.index`,
    [fromPublicId('run', id)],
  );
const payloads = async (): Promise<number> => (await sql(`SELECT count(*) AS n FROM payloads`))[0].n;
/** Whether a run has all outputs. A comparison that fails would print them. */
const isWhole = async (id: string): Promise<boolean> => {
  const { steps } = await world.run(id);
  return Object.entries(OUTPUTS).every(([name, output], place) => {
    return steps[place].name === name && steps[place].output.body === output;
  });
};

/** A run that fails at its last step, which reads the large output. */
async function failedRun(): Promise<string> {
  world.reply = ({ url }) =>
    url === '/last' ? { status: 404 } : { body: OUTPUTS[url.slice(1) as keyof typeof OUTPUTS] };
  const names = Object.keys(OUTPUTS);
  const last = world.call('last', { body: { read: '{{ steps.large.body }}' } });
  const { hook } = await world.workflow([...names.map((name) => world.call(name)), last]);
  const id = await world.fire(hook);
  expect(await world.ended(id)).toMatchObject({ status: 'failed' });
  return id;
}

describe('the steps that a retry carries over', () => {
  it(`share outputs of more than ${INLINE_BYTES} bytes with the old run`, async () => {
    const first = await failedRun();
    expect((await stored(first)).map(({ payload }) => payload)).toEqual([null, null, null]);
    const again = await retry(first);
    await world.ended(again);
    const shared = await stored(again);
    expect(shared).toEqual([
      { name: 'small', bytes: expect.any(Number), payload: null },
      { name: 'medium', bytes: null, payload: expect.any(String) },
      { name: 'large', bytes: null, payload: expect.any(String) },
    ]);
    expect(await stored(first)).toEqual(shared);
    expect(await payloads()).toBe(2);
    for (const id of [first, again]) expect(await isWhole(id)).toBe(true);
    const query = `query ($id: ID!) { runs(workflowId: $id) { items { steps { name output outputOmitted } } } }`;
    const { workflow_id: id } = await world.run(again);
    const { body } = await world.client.graphql(query, { id });
    for (const { steps } of body.data.runs.items) {
      expect([steps[0].output.body, steps[1].output.body === OUTPUTS.medium]).toEqual([OUTPUTS.small, true]);
      expect(steps[2]).toEqual({ name: 'large', output: null, outputOmitted: true });
    }
  });

  it('give the next step its values, and show them in its input', async () => {
    const first = await failedRun();
    world.received.length = 0;
    world.reply = () => ({ body: 'done' });
    const again = await retry(first);
    expect(await world.ended(again)).toMatchObject({ status: 'succeeded' });
    expect(world.received.map(({ url, body }) => [url, JSON.parse(body).read === OUTPUTS.large])).toEqual([
      ['/last', true],
    ]);
    const query = `query ($id: ID!) { run(id: $id) { steps(index: 3) { input } } }`;
    const { body } = await world.client.graphql(query, { id: again });
    expect(body.data.run.steps[0].input).toMatchObject({ truncated: true });
  });

  it('are stored once, however often a run and its retries are retried', async () => {
    const first = await failedRun();
    const before = await payloads();
    const second = await retry(first);
    await world.ended(second);
    const more = await Promise.all([first, second, first, second].map(retry));
    for (const id of more) {
      await world.ended(id);
      expect(await stored(id)).toEqual(await stored(first));
    }
    expect(await payloads()).toBe(before + 2);
  });

  it('keep no old payload alive: the first retry after a week copies it, and later ones share the copy', async () => {
    const first = await failedRun();
    const second = await retry(first);
    await world.ended(second);
    await world.server.advance(8 * DAY_MS);
    const third = await retry(first);
    await world.ended(third);
    expect(await stored(first)).toEqual(await stored(third));
    const old = (await stored(second)).map(({ payload }) => payload);
    const young = (await stored(third)).map(({ payload }) => payload);
    expect([old[0], young[0], old[1] === young[1], old[2] === young[2]]).toEqual([null, null, false, false]);
    const fourth = await retry(first);
    await world.ended(fourth);
    expect(await stored(fourth)).toEqual(await stored(third));
    for (const id of [first, second, third, fourth]) expect(await isWhole(id)).toBe(true);
  });

  it('go with the runs of a deleted workflow', async () => {
    const first = await failedRun();
    const again = await retry(first);
    await world.ended(again);
    const uuids = (await stored(again)).flatMap(({ payload }) => payload ?? []);
    const { workflow_id: id } = await world.run(again);
    await world.client.rest('DELETE', `/workflows/${id}`);
    await world.server.advance(31 * DAY_MS);
    await pruneRunsOfDeletedWorkflowsJob(world.server.db, world.server.clock).run();
    expect(uuids).toHaveLength(2);
    expect(await sql(`SELECT 1 FROM payloads WHERE id = ANY($1)`, [uuids])).toEqual([]);
  });
});
