import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '../../src/platform/ids/ids.js';
import { gauge } from '../graphql/subscriptions/changes.js';
import { lengthsOf } from '../support/database/rows-of.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';

const MB = 1_048_576;
const RUNS = 60;
const OUTPUT_BYTES = 15_000;
/** A run has 750 kB of outputs, all together 45 MB. */
const STEPS = 50;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

describe('texts of many rows', () => {
  let world: RunWorld;
  let workflow: string;
  let large: string;
  let key = 0;

  beforeAll(async () => {
    world = await RunWorld.open();
    const { db } = world.server;
    workflow = (await world.workflow([])).id;
    const ids = Array.from({ length: RUNS }, () => newUuid(new Date()));
    await db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at, finished_at)
       SELECT p.id, w.account_id, w.id, 'manual', 'succeeded', now(), now() FROM unnest($1::uuid[]) p (id), workflows w`,
      [ids],
    );
    await db.query(
      `INSERT INTO steps (run_id, index, account_id, name, kind, status, attempt, output)
       SELECT r.id, n, r.account_id, 's' || n, 'http_request', 'succeeded', 1, to_json(n || repeat('x', $1))
       FROM runs r, generate_series(0, $2::int - 1) n`,
      [OUTPUT_BYTES, STEPS],
    );
    const { id, hook } = await world.workflow([world.call('a', { body: '{{ trigger.body.x }}' })]);
    large = id;
    await world.ended(await world.fire(hook, { x: 'small', y: 'y'.repeat(1_000_000) }));
    for (const table of ['runs', 'steps']) {
      const [uuid, of] = table === 'runs' ? ['id', 'r.workflow_id'] : ['run_id', 'q.workflow_id'];
      const from = table === 'runs' ? 'runs r' : 'steps r JOIN runs q ON q.id = r.run_id';
      await db.query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(r, jsonb_build_object('${uuid}', p.id))).*
         FROM ${from}, unnest($1::uuid[]) p (id) WHERE r.account_id IS NOT NULL AND ${of} <> (SELECT min(workflow_id::text)::uuid FROM runs)`,
        [ids.map((_, place) => `0190a1b2-0000-7000-8000-${String(place).padStart(12, '0')}`)],
      );
    }
  });
  afterAll(() => world.close());

  const steps = (perPage: number) => `runs(perPage: ${perPage}) { items { steps { output } } }`;
  const rename = (selection: string) =>
    `mutation ($id: ID!) { updateWorkflow(id: $id, input: { name: "changed" }) { ${selection} } }`;
  const nameOf = async () => (await world.client.rest('GET', `/workflows/${workflow}`)).body.name as string;

  /** Sends a document. @returns the response and how much each statement on steps has read. */
  async function ask(query: string, headers: Record<string, string> = {}) {
    const send = () => world.client.send('POST', '/graphql', { body: { query, variables: { id: workflow } }, headers });
    const { found, lengths } = await lengthsOf(world.server.db, { table: 'steps', text: 'outputText' }, send);
    await until(async () => (await gauge(world.server, 'answer_bytes')) === 0);
    return { status: found.status, body: found.body, lengths };
  }
  const unit = () => ({ 'idempotency-key': `portions-${(key += 1)}` });

  // On a busy machine a level of the result is read by several statements, each with its own first MB.
  it('are refused by their sum before all of them are read', async () => {
    const { status, body, lengths } = await ask(`query ($id: ID!) { workflow(id: $id) { ${steps(RUNS)} } }`);
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'ANSWER_TOO_LARGE']);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * MB);
    expect(sumOf(lengths)).toBeLessThan((RUNS * STEPS * OUTPUT_BYTES) / 2);
  });

  it('are refused as early in a unit of work, of which nothing remains', async () => {
    const { status, body, lengths } = await ask(rename(steps(RUNS)), unit());
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'ANSWER_TOO_LARGE']);
    expect(body.errors[0].message).toContain('Nothing has changed.');
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * MB);
    expect(sumOf(lengths)).toBeLessThan((RUNS * STEPS * OUTPUT_BYTES) / 2);
    expect(await nameOf()).toBe('Flow');
  });

  it('follow in portions of 4 MB at most, each in its place', async () => {
    const { status, body, lengths } = await ask(`query ($id: ID!) { workflow(id: $id) { ${steps(20)} } }`);
    expect(status).toBe(200);
    for (const { steps: found } of body.data.workflow.runs.items) {
      const expected = Array.from({ length: STEPS }, (_, n) => `${n}${'x'.repeat(OUTPUT_BYTES)}`);
      expect(found.map(({ output }: { output: string }) => output)).toEqual(expected);
    }
    expect(lengths.length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * MB);
  });

  it('follow in a unit of work, too', async () => {
    const { status, body, lengths } = await ask(rename(steps(2)), unit());
    expect(status).toBe(200);
    expect(body.data.updateWorkflow.runs.items[1].steps[49].output).toHaveLength(OUTPUT_BYTES + 2);
    expect(lengths.length).toBeGreaterThanOrEqual(2);
  });

  it('are read once for each step that is asked for by its index', async () => {
    const one = 'runs(perPage: 2) { items { a: steps(index: 0) { output } b: steps(index: 7) { output } } }';
    const { lengths } = await ask(`query ($id: ID!) { workflow(id: $id) { ${one} } }`);
    expect(sumOf(lengths)).toBe(4 * (OUTPUT_BYTES + 3));
  });

  it('are measured, too, where the inputs of steps read them', async () => {
    const query = `query ($id: ID!) { workflow(id: $id) { runs(perPage: 50) { items { steps(index: 0) { input } } } } }`;
    const send = () => world.client.graphql(query, { id: large });
    const { found, lengths } = await lengthsOf(world.server.db, { table: 'runs', text: 'inputText' }, send);
    expect([found.status, found.body.errors![0]!.extensions.code]).toEqual([400, 'ANSWER_TOO_LARGE']);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * MB);
    const few = await world.client.graphql(query.replace('50', '3'), { id: large });
    expect(few.body.data.workflow.runs.items.map((run: any) => run.steps[0].input.body)).toEqual(
      Array(3).fill('small'),
    );
  });
});
