import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, toPublicId } from '../../src/platform/ids/ids.js';
import { type Span } from '../../src/platform/db/pages/pagination.js';
import { type RunFilter } from '../../src/features/runs/run.inputs.js';
import { COUNT_LIMIT } from '../../src/platform/db/pages/pagination.js';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

let world: TriggerWorld;
let trigger: Trigger;
/** Public ids, oldest first: one a minute from 09:00 on, queued and failed in turns. */
const runs: string[] = [];
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute));

beforeAll(async () => {
  world = await TriggerWorld.open();
  trigger = await world.trigger();
  for (let minute = 0; minute < 6; minute += 1) {
    const uuid = await world.run(trigger, { status: minute % 2 === 0 ? 'queued' : 'failed', at: at(minute) });
    runs.push(toPublicId('run', uuid));
  }
  await world.run(await world.trigger());
  await world.run(await world.trigger({}, world.stranger));
});
afterAll(() => world.close());

async function list(args: Partial<RunFilter & Span>): Promise<{ ids: string[]; total: number }> {
  const { items, meta } = await world.runs.list(world.context, args, { page: 1, perPage: 20, ...args });
  return { ids: items.map(({ id }) => id), total: meta.total };
}
const newest = (...minutes: number[]) => minutes.map((minute) => runs[minute]);

describe('a list of runs', () => {
  it('is newest first, and has only runs of the account', async () => {
    expect(await list({})).toEqual({ ids: expect.any(Array), total: 7 });
    expect((await list({})).ids.slice(1)).toEqual([...runs].reverse());
    expect(await list({ page: 2, perPage: 5 })).toEqual({ ids: newest(1, 0), total: 7 });
  });

  it('is filtered by workflow, trigger and status', async () => {
    const all = { ids: newest(5, 4, 3, 2, 1, 0), total: 6 };
    expect(await list({ workflowId: trigger.workflowId })).toEqual(all);
    expect(await list({ triggerId: trigger.id })).toEqual(all);
    expect(await list({ triggerId: trigger.id, status: 'failed' })).toEqual({ ids: newest(5, 3, 1), total: 3 });
  });

  it('leaves out both ends of a time span, to the millisecond', async () => {
    const span = { workflowId: trigger.workflowId, createdAfter: at(1), createdBefore: at(4) };
    expect(await list(span)).toEqual({ ids: newest(3, 2), total: 2 });
    const wider = { createdAfter: new Date(at(1).getTime() - 1), createdBefore: new Date(at(4).getTime() + 1) };
    expect((await list({ ...span, ...wider })).ids).toEqual(newest(4, 3, 2, 1));
  });

  it('takes times that no run can have', async () => {
    const span = { createdAfter: new Date(-8.64e15), createdBefore: new Date(8.64e15) };
    expect((await list(span)).total).toBe(7);
    expect((await list({ createdAfter: span.createdBefore })).total).toBe(0);
    expect((await list({ createdBefore: span.createdAfter })).total).toBe(0);
  });

  it('matches nothing for ids that are foreign, unknown or malformed', async () => {
    const foreign = await world.trigger({}, world.stranger);
    await world.run(foreign);
    for (const workflowId of [foreign.workflowId, 'wf_01h455vb4pex5vsknk084sn02q', 'x', trigger.id])
      expect(await list({ workflowId })).toEqual({ ids: [], total: 0 });
    for (const triggerId of [foreign.id, 'trg_01h455vb4pex5vsknk084sn02q', 'x', trigger.workflowId])
      expect(await list({ triggerId })).toEqual({ ids: [], total: 0 });
  });

  it('counts up to 10,000 and no further', async () => {
    const busy = await world.trigger();
    const count = (workflowId: string) => list({ workflowId, perPage: 1 }).then(({ total }) => total);
    const fill = (rows: number) =>
      world.db.query(
        `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at)
         SELECT gen_random_uuid(), $1, $2, 'webhook', 'succeeded', $3 FROM generate_series(1, $4::int)`,
        [busy.accountId, busy.workflowUuid, world.clock.now(), rows],
      );
    await fill(COUNT_LIMIT - 1);
    expect(await count(busy.workflowId)).toBe(COUNT_LIMIT - 1);
    await fill(2);
    expect(await count(busy.workflowId)).toBe(10_000);
    const link = `{ workflow(id: "${busy.workflowId}") { runs(perPage: 1) { meta { total } } } }`;
    expect(await world.ask(link)).toEqual({ workflow: { runs: { meta: { total: 10_000 } } } });
  });
});

describe('one run', () => {
  it('is returned with its steps in order', async () => {
    const uuid = await world.run(trigger);
    for (const index of [1, 0])
      await world.db.query(
        `INSERT INTO steps (run_id, index, account_id, name, kind, status, attempt, output, error)
         VALUES ($1, $2, $3, 'step' || $2::int, 'http_request', 'failed', 2, '{"b":1,"a":2}', '{"code":"timeout","message":"Too slow."}')`,
        [uuid, index, trigger.accountId],
      );
    const fields =
      'id status attempt input retryOf error { code } steps { index name kind status attempt output error { code message } }';
    const { run } = await world.ask<{ run: Record<string, unknown> }>(
      `{ run(id: "${toPublicId('run', uuid)}") { ${fields} } }`,
    );
    expect(run).toMatchObject({ status: 'QUEUED', attempt: 1, input: null, retryOf: null, error: null });
    const step = { kind: 'HTTP_REQUEST', status: 'FAILED', attempt: 2, output: { b: 1, a: 2 } };
    expect(run.steps).toEqual([
      { index: 0, name: 'step0', ...step, error: { code: 'timeout', message: 'Too slow.' } },
      { index: 1, name: 'step1', ...step, error: { code: 'timeout', message: 'Too slow.' } },
    ]);
  });

  it('no longer shows a deleted trigger, and is not found by it', async () => {
    const gone = await world.trigger();
    const id = toPublicId('run', await world.run(gone));
    expect((await world.runs.get(world.context, id)).triggerId).toBe(gone.id);
    await world.triggers.delete(world.context, gone.id);
    expect(await world.runs.get(world.context, id)).toMatchObject({ triggerId: null, workflowId: gone.workflowId });
    expect(await list({ triggerId: gone.id })).toEqual({ ids: [], total: 0 });
  });

  it('outlives its workflow', async () => {
    const gone = await world.trigger();
    const id = toPublicId('run', await world.run(gone));
    await world.workflows.delete(world.context, gone.workflowId);
    expect(await world.runs.get(world.context, id)).toMatchObject({ status: 'canceled', workflowId: gone.workflowId });
  });

  it('tells foreign from unknown', async () => {
    const foreign = await world.run(await world.trigger({}, world.stranger));
    await expect(world.runs.get(world.context, toPublicId('run', foreign))).rejects.toMatchObject({
      code: 'unauthorized',
    });
    for (const id of ['x', toPublicId('run', newUuid(world.clock.now()))])
      await expect(world.runs.get(world.context, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
