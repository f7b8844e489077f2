import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId, newUuid, toPublicId } from '../../src/platform/ids/ids.js';
import { gauge } from '../graphql/subscriptions/changes.js';
import { EventReader } from '../graphql/subscriptions/event-reader.js';
import { openStream } from '../graphql/transports.js';
import { WrongClock } from '../support/clock.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { RunWorld } from '../support/worlds/run-world.js';

const ENV = { RATE_LIMITS: 'off', ALLOW_PRIVATE_NETWORK: 'true' };
const DAY = 86_400_000;
const CHANGES = `subscription ($workflow: ID, $run: ID, $after: ID) {
  runStatusChanged(workflowId: $workflow, runId: $run, after: $after) { id status version run { id } } }`;

let world: RunWorld;
let other: TestServer;
let key: string;
beforeAll(async () => {
  world = await RunWorld.open({ env: ENV });
  // With a clock of its own it would be minutes behind the database for a moment of each advance.
  other = await startTestServer({ database: world.server.database, clock: world.server.clock, env: ENV });
  key = await world.server.key();
});
afterAll(async () => {
  await other.close();
  await world.close();
});

const open: (() => void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) close();
  for (const server of [world.server, other]) await until(async () => (await gauge(server, 'run_listeners')) === 0);
});

interface Change {
  id: string;
  run: string;
  text: string;
}

interface Listener {
  heard: Change[];
  /** The code of the error that refused it; undefined if it ended otherwise. */
  ended: Promise<string | undefined>;
  close: () => void;
}

/** Follows changes over SSE. */
async function follow(
  variables: { workflow?: string; run?: string; after?: string },
  { on = world.server, by = key } = {},
): Promise<Listener> {
  const abort = new AbortController();
  const close = () => abort.abort();
  open.push(close);
  const reader = new EventReader(await openStream(on, by, { query: CHANGES, variables }, abort.signal));
  const heard: Change[] = [];
  const ended = (async () => {
    for (let event = await reader.next(); event?.event === 'next'; event = await reader.next()) {
      const { data, errors } = event.data;
      if (errors) return errors[0].extensions.code as string;
      const { id, status, version, run } = data.runStatusChanged;
      heard.push({ id, run: run.id, text: `${version} ${status}` });
    }
    return undefined;
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
    return undefined;
  });
  return { heard, ended, close };
}

/** Advances the clock of both processes. */
const advance = (ms: number): Promise<void> => world.server.advance(ms);

async function latest(field = 'runs'): Promise<string> {
  const { data } = (await world.client.graphql(`{ list: ${field} { latestChange } }`)).body;
  return data.list.latestChange;
}

const COURSE = ['1 QUEUED', '2 RUNNING', '3 SUCCEEDED'];
const textsOf = (heard: readonly Change[], run: string) =>
  heard.filter((change) => change.run === run).map(({ text }) => text);

describe('resuming runStatusChanged', () => {
  it.each(['runs', 'runConnection'])('delivers every change behind the latest one of `%s`', async (field) => {
    const { hook } = await world.workflow([]);
    await world.ended(await world.fire(hook));
    const after = await latest(field);
    const runs = [await world.fire(hook), await world.fire(hook)];
    for (const run of runs) await world.ended(run);
    const { heard } = await follow({ after });
    const areHeard = () => runs.every((run) => textsOf(heard, run).length === 3);
    await until(areHeard);
    runs.push(await world.fire(hook));
    await until(areHeard);
    for (const run of runs) expect(textsOf(heard, run)).toEqual(COURSE);
    expect(heard.map(({ id }) => id)).toEqual(
      heard.map(({ run, text }) => `${toPublicId('rch', fromPublicId('run', run)!)}_${text[0]}`),
    );
  });

  it('continues behind any change, in another process too', async () => {
    const { hook } = await world.workflow([world.call('a')]);
    const { heard: first, close } = await follow({ after: await latest() });
    const run = await world.fire(hook);
    const own = () => first.filter((change) => change.run === run);
    await until(() => own().length === 3);
    close();
    for (const [place, { id }] of own().entries()) {
      const { heard } = await follow({ after: id }, { on: other });
      const next = await world.fire(hook);
      await until(() => textsOf(heard, next).length === 3);
      expect(textsOf(heard, run)).toEqual(COURSE.slice(place + 1));
    }
  });

  it('has no gap for a client that leaves again and again while runs are made and end', async () => {
    const flows = [await world.workflow([world.call('a')]), await world.workflow([])];
    let after = await latest();
    const fired = (async () => {
      const runs: string[] = [];
      for (let turn = 0; turn < 40; turn += 1) runs.push(await world.fire(flows[turn % 2]!.hook));
      return runs;
    })();
    const all = new Map<string, Change>();
    let runs: string[] | undefined;
    void fired.then((made) => (runs = made));
    const isDone = () => runs?.every((run) => textsOf([...all.values()], run).length === 3) === true;
    for (let piece = 0; !isDone(); piece += 1) {
      const { heard, close } = await follow({ after }, { on: [world.server, other][piece % 2]! });
      const known = all.size;
      await until(() => {
        for (const change of heard) all.set(change.id, change);
        return all.size >= known + 7 || isDone();
      });
      close();
      after = heard.at(-1)?.id ?? after;
    }
    for (const run of await fired) expect(textsOf([...all.values()], run)).toEqual(COURSE);
  });

  it('delivers what happened long after the creation of the run, in its place', async () => {
    const { hook } = await world.workflow([{ name: 'p', kind: 'delay', config: { seconds: 600 } }]);
    const quick = await world.workflow([]);
    const run = await world.fire(hook);
    await world.asleep(run);
    await advance(300_000);
    const after = await latest();
    const before = await world.fire(quick.hook);
    await world.ended(before);
    await advance(300_000);
    await world.ended(run);
    await advance(300_000);
    const behind = await world.fire(quick.hook);
    await world.ended(behind);
    const { heard } = await follow({ after });
    await until(() => textsOf(heard, behind).length === 3);
    const course = (of: string) => COURSE.map((text) => `${of} ${text}`);
    const own = heard.filter(({ run: of }) => [before, run, behind].includes(of));
    expect(own.map(({ run: of, text }) => `${of} ${text}`)).toEqual([
      ...course(before),
      `${run} 3 SUCCEEDED`,
      ...course(behind),
    ]);
  });

  it('delivers only the runs of the workflow', async () => {
    const [one, another] = [await world.workflow([]), await world.workflow([])];
    const after = await latest();
    const runs = [await world.fire(one.hook), await world.fire(another.hook), await world.fire(one.hook)];
    for (const run of runs) await world.ended(run);
    const { heard } = await follow({ workflow: one.id, after });
    await until(() => textsOf(heard, runs[2]!).length === 3);
    expect(textsOf(heard, runs[0]!)).toEqual(COURSE);
    expect(textsOf(heard, runs[2]!)).toEqual(COURSE);
    expect(heard.map(({ run }) => run)).not.toContain(runs[1]);
  });

  it('delivers every change of runs whose worker has a clock that is behind', async () => {
    const api = await RunWorld.open({ env: { ...ENV, ROLES: 'api' } });
    const clock = new WrongClock(api.server.clock, -3_000);
    const worker = await startTestServer({ database: api.server.database, clock, env: { ...ENV, ROLES: 'worker' } });
    const quick = await api.workflow([]);
    const slow = await api.workflow([{ name: 'p', kind: 'delay', config: { seconds: 600 } }]);
    const after = (await api.client.graphql('{ runs { latestChange } }')).body.data.runs.latestChange;
    const runs = [await api.fire(quick.hook), await api.fire(slow.hook)];
    await api.ended(runs[0]!);
    await api.asleep(runs[1]!);
    await api.client.rest('POST', `/runs/${runs[1]}/cancel`);
    const { heard, close } = await follow({ after }, { on: api.server, by: await api.server.key() });
    await until(() => heard.length === 6);
    expect(textsOf(heard, runs[0]!)).toEqual(COURSE);
    expect(textsOf(heard, runs[1]!)).toEqual([...COURSE.slice(0, 2), '3 CANCELED']);
    for (const run of runs) {
      const { created_at: created, started_at: started, finished_at: finished } = await api.run(run);
      expect([created, started, finished].toSorted()).toEqual([created, started, finished]);
    }
    close();
    await worker.close();
    await api.close();
  });

  it('delivers 3,000 missed changes in order', async () => {
    const { id, hook } = await world.workflow([]);
    const after = await latest();
    const run = await world.fire(hook);
    await world.ended(run);
    await world.server.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, version, created_at, started_at, finished_at)
       SELECT overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, account_id, workflow_id, trigger_type, status, 3,
         created_at, started_at + n * interval '2 ms', finished_at + n * interval '2 ms'
       FROM runs, generate_series(1, 1000) n WHERE runs.id = $1`,
      [fromPublicId('run', run)],
    );
    const { heard } = await follow({ workflow: id, after });
    await until(() => heard.length >= 3_003);
    expect(new Set(heard.map((change) => change.id)).size).toBe(3_003);
    // Changes may come twice: at their place, and once more later.
    const ends = [...new Set(heard.filter(({ text }) => text === '3 SUCCEEDED').map(({ run: of }) => of))];
    expect(ends.slice(-1_000)).toEqual([...ends.slice(-1_000)].sort());
  });

  it('refuses an `after` that is unknown, malformed, of another account, older than a day, or for one run', async () => {
    const { hook } = await world.workflow([]);
    const run = await world.fire(hook);
    await world.ended(run);
    const change = `${toPublicId('rch', fromPublicId('run', run)!)}_3`;
    const unknown = `${toPublicId('rch', newUuid(new Date()))}_1`;
    const refused = async (after: string, by = key) => (await follow({ after }, { by })).ended;
    for (const after of [unknown, run, 'rch_nonsense', change.slice(0, -2), `${change}1`, change.replace('_3', '_4')]) {
      expect(await refused(after)).toBe('NOT_FOUND');
    }
    expect(await refused(change, await world.server.key('read-only', 'stranger'))).toBe('UNAUTHORIZED');
    expect(await (await follow({ run, after: change })).ended).toBe('VALIDATION_ERROR');
    const list = await latest();
    await advance(DAY + 60_000);
    expect(await refused(change)).toBe('NOT_FOUND');
    expect(await refused(list)).toBe('NOT_FOUND');
  });
});
