import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { type HookAnswer, HookWorld } from './hook-world.js';

let hooks: HookWorld;
let world: HookWorld['world'];
beforeAll(async () => {
  hooks = await HookWorld.open();
  ({ world } = hooks);
  // A post that PostgreSQL itself refuses, whatever the reason.
  await world.db.source.query(`
    CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'poison'; END $$`);
  await world.db.source.query(`
    CREATE TRIGGER refuse_poison BEFORE INSERT ON runs FOR EACH ROW
    WHEN (NEW.input::text LIKE '%poison%') EXECUTE FUNCTION refuse_poison()`);
});
afterAll(() => hooks.close());

/** How many transactions wrote the runs of these triggers. */
async function transactions(...triggers: Trigger[]): Promise<number> {
  const [row] = await world.db.query<{ count: number }>(
    'SELECT count(DISTINCT xmin::text) FROM runs WHERE trigger_id = ANY($1)',
    [triggers.map(({ uuid }) => uuid)],
  );
  return row!.count;
}

async function queuedRuns({ uuid }: Trigger): Promise<number> {
  const [row] = await world.db.query<{ count: number }>(
    `SELECT count(*) FROM runs WHERE trigger_id = $1 AND status = 'queued'`,
    [uuid],
  );
  return row!.count;
}

function outcome({ status, body }: HookAnswer): string {
  return body.accepted === true ? 'accepted' : `${status} ${body.reason ?? body.code}`;
}

function tally(answers: HookAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[outcome(answer)] = (counts[outcome(answer)] ?? 0) + 1;
  return counts;
}

describe('200 posts at the same time', () => {
  it('are committed by far fewer transactions, each run once, all counted', async () => {
    const triggers = await Promise.all([1, 2, 3, 4].map(() => world.trigger()));
    const before = world.db.statements;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => hooks.post(triggers[index % 4]!, JSON.stringify({ index }))),
    );
    const statements = world.db.statements - before;
    expect(tally(answers)).toEqual({ accepted: 200 });
    for (const [index, answer] of answers.entries()) expect((await hooks.runOf(answer)).input).toEqual({ index });
    for (const trigger of triggers) {
      expect(await queuedRuns(trigger)).toBe(50);
      expect(await hooks.runCount(trigger)).toBe(50);
    }
    expect(await transactions(...triggers)).toBeLessThan(60);
    expect(statements).toBeLessThan(240);
  });

  it('are each answered correctly, whatever else is in their group', async () => {
    const [good, paused, signed, deduped, stopped, gone] = await Promise.all([
      world.trigger(),
      world.trigger(),
      world.trigger({ config: { secret: 's' } }),
      world.trigger({ config: { dedupe_header: 'x-id' } }),
      world.trigger(),
      world.trigger(),
    ]);
    await world.triggers.update(world.context, paused.id, { status: 'paused' });
    await world.workflows.update(world.context, stopped.workflowId, { status: 'archived' });
    await world.triggers.delete(world.context, gone.id);
    const posts = Array.from({ length: 20 }, (_, index) => [
      () => hooks.post(good, '{"n":1}'),
      () => hooks.post(good, '{"n":2}'),
      () => hooks.post(paused),
      () => hooks.post(signed, '{}', { 'x-signature-256': 'sha256=00' }),
      () => hooks.post(deduped, '{}', { 'x-id': 'same' }),
      () => hooks.post(deduped, '{}', { 'x-id': String(index) }),
      () => hooks.post(stopped),
      () => hooks.post(gone),
      () => hooks.post(good, 'no JSON'),
      () => (index % 10 === 0 ? hooks.post(good, '"poison"') : hooks.post(good, '{"n":3}')),
    ]).flat();
    const answers = await Promise.all(posts.map((post) => post()));
    expect(tally(answers)).toEqual({
      accepted: 20 + 20 + 1 + 20 + 18,
      '202 trigger_paused': 20,
      '401 unauthorized': 20,
      '202 duplicate': 19,
      '202 workflow_not_active': 20,
      '404 not_found': 20,
      '400 invalid_json': 20,
      '500 internal_error': 2,
    });
    for (const trigger of [good, paused, signed, deduped, stopped])
      expect(await hooks.runCount(trigger)).toBe(await queuedRuns(trigger));
    expect(await queuedRuns(deduped)).toBe(21);
    const duplicates = answers.filter(({ body }) => body.reason === 'duplicate');
    const [first] = new Set(duplicates.map(({ body }) => body.run_id));
    expect(new Set(duplicates.map(({ body }) => body.run_id)).size).toBe(1);
    expect(await hooks.runOf({ body: { run_id: first } } as HookAnswer)).toMatchObject({ status: 'queued' });
  });

  it('stay independent across processes that share hot workflows', async () => {
    const other = await hooks.peer();
    const triggers = await Promise.all([1, 2, 3].map(() => world.trigger({ config: { dedupe_header: 'x-id' } })));
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, (_, index) => {
        const peer = index % 2 === 0 ? other : hooks;
        const value = String(Math.floor(index / 6));
        return peer.post(triggers[index % 3]!, '{}', { 'x-id': value });
      }),
    );
    expect(tally(outcomes)).toEqual({ accepted: 60, '202 duplicate': 60 });
    for (const trigger of triggers) expect(await hooks.runCount(trigger)).toBe(20);
  });
});

describe('a workflow whose row another session has locked', () => {
  it('delays its own posts until it is free, and its neighbours for a moment only', async () => {
    const [held, free] = [await world.trigger(), await world.trigger()];
    const holder = new pg.Client({ connectionString: hooks.world.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM workflows WHERE id = $1 FOR UPDATE', [held.workflowUuid]);
    let released = false;
    const waiting = hooks.post(held).then((answer) => ({ answer, afterRelease: released }));
    const neighbours = await Promise.all(Array.from({ length: 20 }, () => hooks.post(free)));
    expect(tally(neighbours)).toEqual({ accepted: 20 });
    released = true;
    await holder.query('COMMIT');
    await holder.end();
    const { answer, afterRelease } = await waiting;
    expect(answer.body.accepted).toBe(true);
    expect(afterRelease).toBe(true);
  });

  it('delays no other account by posts to hooks that a process has not seen yet', async () => {
    const { workflowId } = await world.trigger();
    const held = await Promise.all(Array.from({ length: 12 }, () => world.trigger({ workflowId })));
    const free = await world.trigger({}, world.stranger);
    const fresh = await hooks.peer();
    const holder = new pg.Client({ connectionString: hooks.world.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM workflows WHERE id = $1 FOR UPDATE', [held[0]!.workflowUuid]);
    // Shared writes, which wait for a lock shortly, that met the locked row.
    let failed = 0;
    const { db } = world;
    const real = db.transaction.bind(db);
    db.transaction = (work, lockMs) =>
      real(work, lockMs).catch((error: unknown) => {
        if (lockMs !== undefined) failed += 1;
        throw error;
      });
    const waiting: Promise<HookAnswer>[] = [];
    for (const trigger of held) {
      waiting.push(fresh.post(trigger));
      expect(outcome(await fresh.post(free))).toBe('accepted');
    }
    // The account has a writer of its own after two of them. Each may be found by halves, or in two writes at a time.
    expect(failed).toBeLessThanOrEqual(6);
    db.transaction = real;
    await holder.query('COMMIT');
    await holder.end();
    expect(tally(await Promise.all(waiting))).toEqual({ accepted: 12 });
  });
});
