import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { EventReader } from '../graphql/subscriptions/event-reader.js';
import { gauge } from '../graphql/subscriptions/changes.js';
import { RawWebSocket } from '../graphql/subscriptions/raw-websocket.js';
import { openStream } from '../graphql/transports.js';
import { firstEvent } from '../security/event-stream.js';
import { Client } from '../support/http/client.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const CHANGES = `subscription ($workflow: ID, $run: ID) { runStatusChanged(workflowId: $workflow, runId: $run) {
  previousStatus status version at run { id status steps { name } } } }`;

let world: RunWorld;
let key: string;
beforeAll(async () => {
  world = await RunWorld.open();
  key = await world.server.key();
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
  world.reply = () => ({ body: { ok: true } });
});

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  await until(async () => (await gauge(world.server, 'run_listeners')) === 0);
});

interface Follower {
  /** `run: previous → status vN`, as they came. */
  heard: { run: string; version: number; status: string; previousStatus: string | null }[];
  ended: Promise<void>;
}

/** Follows over SSE. Resolves once it is attached. */
async function follow(variables: { workflow?: string; run?: string } = {}, on = world.server): Promise<Follower> {
  const before = await gauge(on, 'run_listeners');
  const abort = new AbortController();
  open.push(() => abort.abort());
  const reader = new EventReader(await openStream(on, key, { query: CHANGES, variables }, abort.signal));
  const heard: Follower['heard'] = [];
  const ended = (async () => {
    for (let event = await reader.next(); event?.event === 'next'; event = await reader.next()) {
      const { run, at, ...change } = event.data.data.runStatusChanged;
      expect(Date.parse(at)).not.toBeNaN();
      heard.push({ run: run.id, ...change });
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  if (variables.run === undefined) await until(async () => (await gauge(on, 'run_listeners')) > before);
  return { heard, ended };
}

const course = (run: string, ...statuses: (string | null)[]) =>
  statuses.slice(1).map((status, index) => ({ run, previousStatus: statuses[index], status, version: index + 1 }));
const SUCCEEDED = [null, 'QUEUED', 'RUNNING', 'SUCCEEDED'];

describe('runStatusChanged', () => {
  it('sends the latest change of a run at once, then further ones, and ends with the run', async () => {
    const held = Promise.withResolvers<object>();
    world.reply = () => held.promise;
    const run = await world.fire((await world.workflow([world.call('slow')])).hook);
    await until(() => world.received.length === 1);
    const [first, second] = [await follow({ run }), await follow({ run })];
    await until(() => first.heard.length === 1 && second.heard.length === 1);
    held.resolve({});
    await Promise.all([first.ended, second.ended]);
    for (const { heard } of [first, second]) expect(heard).toEqual(course(run, ...SUCCEEDED).slice(1));
  });

  it('sends the last change of an ended run, and ends', async () => {
    const run = await world.fire((await world.workflow([])).hook);
    await world.ended(run);
    const { heard, ended } = await follow({ run });
    await ended;
    expect(heard).toEqual(course(run, ...SUCCEEDED).slice(2));
  });

  it('sends each state of a run that is claimed and ended in one transaction', async () => {
    const holds = { name: 'holds', kind: 'condition', config: { path: 'trigger.body', operator: 'exists' } };
    const { id, hook } = await world.workflow([holds, { ...holds, name: 'too' }]);
    const { heard } = await follow({ workflow: id });
    const run = await world.fire(hook, {});
    await until(() => heard.length === 3);
    expect(heard).toEqual(course(run, ...SUCCEEDED));
    const rows = await world.server.db.query(
      `SELECT version, started_at = finished_at AS at_once FROM runs WHERE id = $1`,
      [fromPublicId('run', run)],
    );
    expect(rows).toEqual([{ version: 3, at_once: true }]);
    expect((await world.run(run)).steps).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  it('sends the end of a run that began long before its listeners', async () => {
    const held = Promise.withResolvers<object>();
    world.reply = () => held.promise;
    const { id, hook } = await world.workflow([world.call('long')]);
    const run = await world.fire(hook);
    await until(() => world.received.length === 1);
    // The change is stored apart from the run then.
    await world.server.advance(40_000);
    const followers = await Promise.all([follow({ workflow: id }), follow()]);
    held.resolve({});
    await until(() => followers.every(({ heard }) => heard.length > 0));
    const end = course(run, ...SUCCEEDED).slice(2);
    expect(followers.map(({ heard }) => heard)).toEqual([end, end]);
  });

  it('sends every change of the runs of a workflow, and of no other', async () => {
    const [one, other] = [await world.workflow([world.call('a')]), await world.workflow([])];
    const { heard } = await follow({ workflow: one.id });
    const runs = [await world.fire(one.hook), await world.fire(other.hook), await world.fire(one.hook)];
    for (const run of runs) await world.ended(run);
    await until(() => heard.length === 6);
    for (const run of [runs[0]!, runs[2]!]) {
      expect(heard.filter((change) => change.run === run)).toEqual(course(run, ...SUCCEEDED));
    }
  });

  it('sends skipped runs, canceled ones and retries to listeners of the account, also over WebSocket', async () => {
    const socket = await RawWebSocket.open(world.server.ws(), key);
    open.push(() => socket.close());
    const { heard } = await follow();
    socket.subscribe('1', 'subscription { runStatusChanged { status run { id } } }');
    await until(async () => (await gauge(world.server, 'run_listeners')) === 2);

    const { id: workflow, hook } = await world.workflow([{ name: 'p', kind: 'delay', config: { seconds: 600 } }]);
    const canceled = await world.fire(hook);
    await until(async () => (await world.run(canceled)).steps.length === 1);
    await until(async () => (await world.client.rest('POST', `/runs/${canceled}/cancel`)).status === 409);
    const again = (await world.client.rest('POST', `/runs/${canceled}/retry`)).body.id as string;
    await world.client.rest('PUT', `/workflows/${workflow}`, { body: { status: 'paused' } });
    const skipped = await world.fire(hook);

    await until(() => heard.length === 6);
    const of = (run: string) => heard.filter((change) => change.run === run);
    expect(of(canceled)).toEqual(course(canceled, null, 'QUEUED', 'RUNNING', 'CANCELED'));
    expect(of(again)).toEqual(course(again, null, 'QUEUED', 'RUNNING'));
    expect(of(skipped)).toEqual(course(skipped, null, 'SKIPPED'));
    await until(() => socket.messages.filter(({ type }) => type === 'next').length === 6);
    await world.client.rest('POST', `/runs/${again}/cancel`);
  });

  it('is executed once for all equal subscriptions', async () => {
    const run = await world.fire((await world.workflow([world.call('slow')])).hook);
    await world.ended(run);
    const { id, hook } = await world.workflow([]);
    const followers = [await follow({ workflow: id }), await follow({ workflow: id }), await follow({ workflow: id })];
    const before = await gauge(world.server, 'event_executions');
    await world.ended(await world.fire(hook));
    await until(() => followers.every(({ heard }) => heard.length === 3));
    // At most one more each, if a listener's last execution ended after the next began.
    expect((await gauge(world.server, 'event_executions')) - before).toBeLessThanOrEqual(6);
  });

  it('tells foreign from unknown, and refuses a workflow that is not the run’s', async () => {
    const { id: workflow, hook } = await world.workflow([]);
    const { id: other } = await world.workflow([]);
    const run = await world.fire(hook);
    const stranger = new Client(world.server.baseUrl, await world.server.key('read-only', 'stranger'));
    const codeOf = async (client: Client, variables: Record<string, unknown>) =>
      (await firstEvent(client, CHANGES, variables))?.errors?.[0].extensions.code as unknown;
    for (const variables of [{ run }, { workflow }]) expect(await codeOf(stranger, variables)).toBe('UNAUTHORIZED');
    for (const unknown of ['01h455vb4pex5vsknk084sn02q', '', 'x']) {
      expect(await codeOf(world.client, { run: `run_${unknown}` })).toBe('NOT_FOUND');
      expect(await codeOf(world.client, { workflow: `wf_${unknown}` })).toBe('NOT_FOUND');
    }
    expect(await codeOf(world.client, { run, workflow: other })).toBe('VALIDATION_ERROR');
    expect(await codeOf(world.client, { run, workflow })).toBeUndefined();
  });
});

describe('in another process', () => {
  let deaf: TestServer;
  beforeAll(async () => {
    const { database, clock } = world.server;
    deaf = await startTestServer({ database, clock, env: { ROLES: 'api' } });
  });
  afterAll(() => deaf.close());

  it('changes are received', async () => {
    const { id, hook } = await world.workflow([world.call('a')]);
    const { heard } = await follow({ workflow: id }, deaf);
    const run = await world.fire(hook);
    await until(() => heard.length === 3);
    expect(heard).toEqual(course(run, ...SUCCEEDED));
    open.splice(0).forEach((close) => void close());
    await until(async () => (await gauge(deaf, 'run_listeners')) === 0);
  });

  it('missed changes are read once the connection is back, each once', async () => {
    const actions = [{ name: 'p', kind: 'delay', config: { seconds: 600 } }];
    const [followed, other] = [await world.workflow(actions), await world.workflow(actions)];
    const wide = await follow({ workflow: followed.id }, deaf);
    const [run, alone] = [await world.fire(followed.hook), await world.fire(other.hook)];
    await until(() => wide.heard.length === 2);
    await until(async () => (await world.run(alone)).status === 'running');
    const narrow = await follow({ run: alone }, deaf);
    await until(() => narrow.heard.length === 1);
    const answer = new Client(deaf.baseUrl, key).rest('GET', `/runs/${alone}?wait=30`);
    await until(async () => (await gauge(deaf, 'run_listeners')) === 3);
    // As if its notification had been lost.
    await world.server.db.query(
      `UPDATE runs SET status = 'failed', finished_at = $2, resume_at = NULL, version = version + 1 WHERE id = ANY($1)`,
      [[run, alone].map((id) => fromPublicId('run', id)), world.server.clock.now()],
    );
    await world.server.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'workflow-gateway listen'`,
    );
    await narrow.ended;
    expect((await answer).body.status).toBe('failed');
    await until(() => wide.heard.length === 3);
    expect(wide.heard).toEqual(course(run, null, 'QUEUED', 'RUNNING', 'FAILED'));
    expect(narrow.heard).toEqual(course(alone, null, 'QUEUED', 'RUNNING', 'FAILED').slice(1));
    open.splice(0).forEach((close) => void close());
    await until(async () => (await gauge(deaf, 'run_listeners')) === 0);
  });
});
