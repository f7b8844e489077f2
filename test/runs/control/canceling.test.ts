import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { startTestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const PAUSE = { name: 'pause', kind: 'delay', config: { seconds: 3_600 } };
const INTERRUPTED = { code: 'canceled', message: expect.any(String) };

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
  world.reply = () => ({ body: { ok: true } });
});

const cancel = (id: string) => world.client.rest('POST', `/runs/${id}/cancel`);

/** Resolves once the run waits for its time. */
async function waits(id: string): Promise<void> {
  await until(async () => {
    const rows = await world.server.db.query(`SELECT 1 FROM runs WHERE resume_at IS NOT NULL AND status = 'running'`);
    return rows.length > 0 && (await world.run(id)).status === 'running';
  });
}

describe('a waiting run', () => {
  const resumesAt = async (id: string) =>
    (await world.client.graphql('query ($id: ID!) { run(id: $id) { resumesAt startedAt } }', { id })).body.data.run;

  it('says when it continues, until it has ended', async () => {
    const id = await world.fire((await world.workflow([PAUSE])).hook);
    await waits(id);
    const run = await resumesAt(id);
    const waited = new Date(run.resumesAt).getTime() - new Date(run.startedAt).getTime();
    expect(waited).toBeGreaterThanOrEqual(3_600_000);
    await cancel(id);
    expect((await resumesAt(id)).resumesAt).toBeNull();
  });
});

describe('POST /v1/runs/:id/cancel', () => {
  it('ends a delay at once, and later actions are never executed', async () => {
    const { hook } = await world.workflow([PAUSE, world.call('after')]);
    const id = await world.fire(hook);
    await waits(id);
    const { status, body } = await cancel(id);
    expect([status, body.status, body.status_reason, body.error]).toEqual([200, 'canceled', null, null]);
    expect(body.finished_at).not.toBeNull();
    expect(body).not.toHaveProperty('steps');
    expect((await world.run(id)).steps).toMatchObject([{ name: 'pause', status: 'failed', error: INTERRUPTED }]);
    await world.server.advance(3_601_000);
    const next = await world.fire((await world.workflow([])).hook);
    await world.ended(next);
    expect(await world.run(id)).toMatchObject({ status: 'canceled' });
    expect(world.received).toHaveLength(0);
  });

  it('ends the wait for another attempt at once', async () => {
    world.reply = () => ({ status: 503 });
    const { hook } = await world.workflow([world.call('down')]);
    const id = await world.fire(hook);
    await waits(id);
    expect((await cancel(id)).body.status).toBe('canceled');
    expect((await world.run(id)).steps).toMatchObject([{ status: 'failed', attempt: 1, error: INTERRUPTED }]);
    await world.server.advance(600_000);
    await world.ended(await world.fire((await world.workflow([])).hook));
    expect(world.received).toHaveLength(1);
  });

  it('lets the running step end, keeps its output, and starts no other', async () => {
    const held = Promise.withResolvers<object>();
    world.reply = () => held.promise;
    const { hook } = await world.workflow([world.call('slow'), world.call('after')]);
    const id = await world.fire(hook);
    await until(() => world.received.length === 1);
    expect((await cancel(id)).body).toMatchObject({ status: 'running', finished_at: null });
    expect((await cancel(id)).status).toBe(200);
    held.resolve({ body: { done: 1 } });
    const run = await world.ended(id);
    expect(run).toMatchObject({ status: 'canceled', status_reason: null, error: null });
    expect(run.steps).toMatchObject([{ name: 'slow', status: 'succeeded', output: { body: { done: 1 } } }]);
    expect(world.received).toHaveLength(1);
  });

  it.each([
    ['succeeds', {}, 'succeeded'],
    ['fails', { status: 422 }, 'failed'],
  ])('holds for a run whose last step %s meanwhile', async (_, reply, status) => {
    const held = Promise.withResolvers<object>();
    world.reply = () => held.promise;
    const { hook } = await world.workflow([world.call('last')]);
    const id = await world.fire(hook);
    await until(() => world.received.length === 1);
    await cancel(id);
    held.resolve(reply);
    expect(await world.ended(id)).toMatchObject({ status: 'canceled', error: null, steps: [{ status }] });
  });

  it('lets a retry evaluate a condition again that stopped the run meanwhile', async () => {
    const { db } = world.server;
    // The cancelation comes between the save of the first step and that of the condition.
    await db.query(
      `CREATE FUNCTION cancel_behind() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN UPDATE runs SET cancel_requested = true WHERE id = NEW.run_id; RETURN NULL; END $$`,
    );
    await db.query(
      `CREATE TRIGGER cancels AFTER INSERT OR UPDATE ON steps FOR EACH ROW
       WHEN (NEW.name = 'cancels' AND NEW.status = 'succeeded') EXECUTE FUNCTION cancel_behind()`,
    );
    const never = {
      name: 'never',
      kind: 'condition',
      config: { path: 'trigger.body.n', operator: 'equals', value: 2 },
    };
    const { hook } = await world.workflow([world.call('cancels'), never, world.call('guarded')]);
    const id = await world.fire(hook, { n: 1 });
    expect(await world.ended(id)).toMatchObject({
      status: 'canceled',
      steps: [{ status: 'succeeded' }, { name: 'never', status: 'failed', error: INTERRUPTED }],
    });
    await db.query('DROP TRIGGER cancels ON steps');
    const { body } = await world.client.rest('POST', `/runs/${id}/retry`);
    expect((await world.ended(body.id)).steps).toHaveLength(2);
    expect(world.received.map(({ url }) => url)).toEqual(['/cancels']);
  });

  it('keeps a run that fails its step from waiting for another attempt', async () => {
    const held = Promise.withResolvers<object>();
    world.reply = () => held.promise;
    const { hook } = await world.workflow([world.call('down')]);
    const id = await world.fire(hook);
    await until(() => world.received.length === 1);
    await cancel(id);
    held.resolve({ status: 503 });
    expect(await world.ended(id)).toMatchObject({ status: 'canceled', steps: [{ status: 'failed', attempt: 1 }] });
  });

  it('is 409 once the run has ended, also when it was canceled', async () => {
    const { hook } = await world.workflow([]);
    const done = await world.fire(hook);
    await world.ended(done);
    expect(await cancel(done)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'The run has ended: it is succeeded.' },
    });
    const { hook: pausing } = await world.workflow([PAUSE]);
    const id = await world.fire(pausing);
    await waits(id);
    await cancel(id);
    expect((await cancel(id)).status).toBe(409);
  });

  it('tells foreign from unknown, and read-only from read-write', async () => {
    const id = await world.fire((await world.workflow([PAUSE])).hook);
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    const reader = new Client(world.server.baseUrl, await world.server.key('read-only'));
    for (const verb of ['cancel', 'retry']) {
      expect((await other.rest('POST', `/runs/${id}/${verb}`)).status).toBe(401);
      expect((await reader.rest('POST', `/runs/${id}/${verb}`)).status).toBe(403);
      for (const unknown of ['run_01h455vb4pex5vsknk084sn02q', 'x']) {
        expect((await world.client.rest('POST', `/runs/${unknown}/${verb}`)).status).toBe(404);
      }
    }
    expect((await world.run(id)).status).not.toBe('canceled');
  });
});

describe('without a worker', () => {
  it('a queued run is canceled at once, and a worker that comes later does not start it', async () => {
    const other = await RunWorld.open({ env: { ROLES: 'api' } });
    try {
      const { hook } = await other.workflow([other.call('never')]);
      const id = await other.fire(hook);
      const { body } = await other.client.graphql(
        `mutation { cancelRun(id: "${id}") { status startedAt finishedAt steps { name } } }`,
      );
      expect(body.data.cancelRun).toEqual({
        status: 'CANCELED',
        startedAt: null,
        finishedAt: expect.any(String),
        steps: [],
      });
      const { database, clock } = other.server;
      const worker = await startTestServer({ database, clock });
      await until(async () => (await jobsLeft(other)) === 0);
      expect(await other.run(id)).toMatchObject({ status: 'canceled', steps: [] });
      expect(other.received).toHaveLength(0);
      await worker.close();
    } finally {
      await other.close();
    }
  });

  it('a run whose worker died is canceled by the next one, which executes none of it', async () => {
    const other = await RunWorld.open({ env: { ROLES: 'api' } });
    try {
      const { hook } = await other.workflow([other.call('never')]);
      const id = await other.fire(hook);
      // The state after a worker died in the first step; the job is delivered again.
      await other.server.db.query(
        `UPDATE runs SET status = 'running', started_at = created_at, claim = gen_random_uuid(), version = 2`,
      );
      const answer = await other.client.rest('POST', `/runs/${id}/cancel`);
      expect([answer.status, answer.body.status]).toEqual([200, 'running']);
      const { database, clock } = other.server;
      const worker = await startTestServer({ database, clock });
      expect(await other.ended(id)).toMatchObject({ status: 'canceled', steps: [] });
      expect(other.received).toHaveLength(0);
      await worker.close();
    } finally {
      await other.close();
    }
  });
});

async function jobsLeft({ server }: RunWorld): Promise<number> {
  const [row] = await server.db.query<{ count: number }>(
    `SELECT count(*) AS count FROM pgboss.job WHERE name = 'runs'`,
  );
  return row!.count;
}
