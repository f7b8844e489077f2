import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SEARCHED_RUNS } from '../../src/features/runs/run-search.js';
import { LISTED_BYTES } from '../../src/features/runs/run-columns.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { RunWorld } from '../support/worlds/run-world.js';

let world: RunWorld;
let flow: { id: string; hook: string };
/** Runs by the word that their input contains, the oldest first. */
const runs: Record<string, string> = {};

beforeAll(async () => {
  world = await RunWorld.open();
  flow = await world.workflow([]);
  for (const word of ['Ada', '100% of it', '100 of it', 'Ångström']) runs[word] = await world.fire(flow.hook, { word });
  runs.payload = await world.fire(flow.hook, { word: 'stored elsewhere', rest: 'x'.repeat(LISTED_BYTES / 2) });
  runs.large = await world.fire(flow.hook, { word: 'too far down', rest: 'x'.repeat(LISTED_BYTES) });
  const failing = await world.workflow([world.call('call')]);
  world.reply = () => ({ status: 404 });
  runs.failed = await world.fire(failing.hook, { word: 'call' });
  for (const id of Object.values(runs)) await world.ended(id);
});
afterAll(() => world.close());

async function found(search: string, filters = '', client = world.client): Promise<string[]> {
  const { status, body } = await client.rest('GET', `/runs?search=${encodeURIComponent(search)}${filters}`);
  expect(status).toBe(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map(({ id }: { id: string }) => id);
}

/** Adds runs of another workflow, as old as the newest one; their numbers are the end of their ids. */
async function addRuns(first: number, last: number): Promise<void> {
  await world.server.db.query(
    `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, input, created_at)
     SELECT overlay(r.id::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid, r.account_id, gen_random_uuid(),
            'manual', 'succeeded', 'null', r.created_at
     FROM runs r, generate_series($2::int, $3::int) n WHERE r.id = $1`,
    [fromPublicId('run', runs.failed!), first, last],
  );
}

describe('runs(search)', () => {
  it('finds a text in the input, in any case, as it stands', async () => {
    expect(await found('"word":"ada"')).toEqual([runs.Ada]);
    expect(await found('ÅNG')).toEqual([runs.Ångström]);
    expect(await found('100%')).toEqual([runs['100% of it']]);
    expect(await found('100')).toEqual([runs['100 of it'], runs['100% of it']]);
    expect(await found('Stored Elsewhere')).toEqual([runs.payload]);
  });

  it('reads no input that a list leaves out', async () => {
    expect(await found('too far down')).toEqual([]);
  });

  it('finds a text in the error, and goes together with the other filters', async () => {
    expect(await found('http_404')).toEqual([runs.failed]);
    expect(await found('404', '&status=failed')).toEqual([runs.failed]);
    expect(await found('404', '&status=succeeded')).toEqual([]);
    expect(await found('404', `&workflow_id=${flow.id}`)).toEqual([]);
  });

  it('finds a run by its id or the end of it, in its own account only', async () => {
    const id = runs.Ada!;
    expect(await found(id)).toEqual([id]);
    expect(await found(id.slice(-8))).toEqual([id]);
    expect(await found(id.slice(-8), '&status=failed')).toEqual([]);
    const other = new Client(world.server.baseUrl, await world.server.key('read-only', 'other'));
    for (const search of [id, id.slice(-8), 'ada']) expect(await found(search, '', other)).toEqual([]);
  });

  it('is the same over GraphQL, as a list and as a connection', async () => {
    const { body } = await world.client.graphql(`{
      runs(search: "angstrom") { items { id } } same: runs(search: "ångström") { items { id } }
      runConnection(search: "ångström") { totalCount edges { node { id } } }
    }`);
    const one = { id: runs.Ångström };
    expect(body.data).toEqual({
      runs: { items: [] },
      same: { items: [one] },
      runConnection: { totalCount: 1, edges: [{ node: one }] },
    });
  });

  it('reads the newest runs of the workflow, trigger and time that are given, and no more', async () => {
    const others = SEARCHED_RUNS - Object.keys(runs).length;
    await world.server.db.query(`UPDATE runs SET input = '"seek"' WHERE id = $1`, [fromPublicId('run', runs.Ada!)]);
    await addRuns(1, others);
    expect(await found('seek')).toEqual([runs.Ada]);
    await addRuns(others + 1, others + 1);
    expect(await found('seek')).toEqual([]);
    expect(await found('seek', `&workflow_id=${flow.id}`)).toEqual([runs.Ada]);
    const { created_at: at } = await world.run(runs.Ångström!);
    expect(await found('seek', `&created_before=${at}`)).toEqual([runs.Ada]);
    expect(await found(runs.Ada!)).toEqual([runs.Ada]);
  });
});
