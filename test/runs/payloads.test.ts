import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId, newUuid } from '../../src/platform/ids/ids.js';
import { INLINE_BYTES } from '../../src/platform/payloads.js';
import { pruneRunsOfDeletedWorkflowsJob } from '../../src/features/runs/retention/deleted-workflows.job.js';
import { EventWorld } from '../app-events/event-world.js';
import { Client } from '../support/http/client.js';

const DAY_MS = 86_400_000;
/** A large event of a provider. */
const EVENT = { type: 'thing.made', notes: 'x'.repeat(100_000) };

let world: EventWorld;
beforeAll(async () => {
  world = await EventWorld.open();
});
afterAll(() => world.close());

const sql = <T extends object>(text: string, values: unknown[] = []) =>
  world.server.db.query<any>(text, values) as Promise<T[]>;

async function payloadOf(run: string): Promise<string | null> {
  const [row] = await sql<{ payload: string | null }>(`SELECT payload_id AS payload FROM runs WHERE id = $1`, [
    fromPublicId('run', run),
  ]);
  return row!.payload;
}

const isThere = async (payload: string | null) =>
  (await sql(`SELECT 1 FROM payloads WHERE id = $1`, [payload])).length === 1;

/** A run that a hook fired with a JSON text of this many bytes. */
async function hookRun(body: unknown, client = world.client): Promise<{ id: string; workflow: string }> {
  const workflow = await world.workflow(client);
  const trigger = await client.rest('POST', '/triggers', { body: { workflow_id: workflow, type: 'webhook' } });
  const answer = await client.send('POST', new URL(trigger.body.webhook_url).pathname, { body: JSON.stringify(body) });
  return { id: answer.body.run_id, workflow };
}

/** Ends a run without a worker, so that it can be retried. */
async function ended(run: string): Promise<string> {
  await sql(`UPDATE runs SET status = 'failed', finished_at = created_at WHERE id = $1`, [fromPublicId('run', run)]);
  return run;
}

async function retry(run: string): Promise<string> {
  const { status, body } = await world.client.rest('POST', `/runs/${run}/retry`);
  expect(status).toBe(201);
  return body.id;
}

describe('an event that fires many workflows', () => {
  it('is stored once, and every run has it', async () => {
    const source = await world.connect('unsigned');
    for (let n = 0; n < 5; n += 1) await world.trigger({ integration_id: source.id, event: 'thing.made' });
    const { body } = await world.post(source, EVENT);
    expect(body.run_ids).toHaveLength(5);
    const payloads = new Set(await Promise.all(body.run_ids!.map(payloadOf)));
    expect(payloads.size).toBe(1);
    expect(await sql(`SELECT octet_length(body) AS bytes FROM payloads`)).toEqual([
      { bytes: JSON.stringify(EVENT).length },
    ]);
    for (const id of body.run_ids!) expect((await world.run(id)).input).toEqual(EVENT);
  });

  it('is not shared with another account that gets the same event', async () => {
    const own = await hookRun(EVENT);
    const other = await hookRun(EVENT, new Client(world.server.baseUrl, await world.server.key('read-write', 'other')));
    expect(await payloadOf(own.id)).not.toBe(await payloadOf(other.id));
  });
});

describe('the input of a run', () => {
  it(`stands in the run's own row up to ${INLINE_BYTES} bytes, and beyond in a payload`, async () => {
    const text = (bytes: number) => 'é'.repeat((bytes - 2) / 2);
    const small = await hookRun(text(INLINE_BYTES));
    const large = await hookRun(text(INLINE_BYTES + 2));
    expect(await payloadOf(small.id)).toBeNull();
    expect(await payloadOf(large.id)).not.toBeNull();
    expect((await world.run(large.id)).input).toBe(text(INLINE_BYTES + 2));
    const sizes = await sql(`SELECT input_bytes AS bytes FROM runs WHERE id = ANY($1) ORDER BY id`, [
      [small, large].map(({ id }) => fromPublicId('run', id)),
    ]);
    expect(sizes).toEqual([{ bytes: INLINE_BYTES }, { bytes: INLINE_BYTES + 2 }]);
  });
});

describe('a retry', () => {
  it('shares the payload of the old run', async () => {
    const { id } = await hookRun(EVENT);
    const again = await retry(await ended(id));
    expect(await payloadOf(again)).toBe(await payloadOf(id));
    expect((await world.run(again)).input).toEqual(EVENT);
  });

  it('moves an input that an earlier version stored in the run into a payload for both', async () => {
    const { id } = await hookRun(null);
    const text = JSON.stringify(EVENT);
    await sql(`UPDATE runs SET input = $2, input_bytes = NULL WHERE id = $1`, [fromPublicId('run', id), text]);
    expect((await world.run(id)).input).toEqual(EVENT);
    const again = await retry(await ended(id));
    expect(await payloadOf(again)).not.toBeNull();
    expect(await payloadOf(again)).toBe(await payloadOf(id));
    for (const run of [id, again]) expect((await world.run(run)).input).toEqual(EVENT);
  });

  it('keeps no old payload alive: it takes a young copy, which the old run shares', async () => {
    const { id } = await hookRun(EVENT);
    const first = await payloadOf(await ended(id));
    await world.server.advance(8 * DAY_MS);
    const again = await retry(id);
    expect(await payloadOf(again)).not.toBe(first);
    expect(await payloadOf(again)).toBe(await payloadOf(id));
    expect(await payloadOf(await retry(id))).toBe(await payloadOf(id));
    expect((await world.run(again)).input).toEqual(EVENT);
  });
});

describe('the payload of runs whose workflow is deleted', () => {
  it('is deleted with the last run that refers to it', async () => {
    // An event of the log refers to it too, for 30 days more.
    await world.server.db.query(`UPDATE accounts SET event_log = false`);
    const source = await world.connect('unsigned');
    const trigger = { integration_id: source.id, event: 'thing.gone' };
    const flows = [await world.workflow(), await world.workflow()];
    for (const workflowId of flows) await world.trigger(trigger, { workflowId });
    const { body } = await world.post(source, { ...EVENT, type: 'thing.gone' });
    const payload = await payloadOf(body.run_ids![0]!);
    const prune = async (workflow: string) => {
      await world.client.rest('DELETE', `/workflows/${workflow}`);
      await world.server.advance(31 * DAY_MS);
      await pruneRunsOfDeletedWorkflowsJob(world.server.db, world.server.clock).run();
    };
    await prune(flows[0]!);
    expect(await isThere(payload)).toBe(true);
    await prune(flows[1]!);
    expect(await isThere(payload)).toBe(false);
  });

  it('stays while the event of a webhook has to send it', async () => {
    await world.server.db.query(`UPDATE accounts SET event_log = false`);
    const { id, workflow } = await hookRun(EVENT);
    const payload = await payloadOf(await ended(id));
    const event = newUuid(world.server.clock.now());
    await sql(
      `INSERT INTO webhook_events (id, account_id, hops, body, payload_id, tail, keep_until)
       SELECT $1, account_id, 0, '{"input":', $2, '}', created_at + interval '90 days' FROM runs WHERE id = $3`,
      [event, payload, fromPublicId('run', id)],
    );
    await world.client.rest('DELETE', `/workflows/${workflow}`);
    await world.server.advance(31 * DAY_MS);
    await pruneRunsOfDeletedWorkflowsJob(world.server.db, world.server.clock).run();
    expect(await sql(`SELECT 1 FROM runs WHERE id = $1`, [fromPublicId('run', id)])).toEqual([]);
    expect(await isThere(payload)).toBe(true);
  });
});
