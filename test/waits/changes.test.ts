import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventReader } from '../graphql/subscriptions/event-reader.js';
import { openStream } from '../graphql/transports.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { pathOf, waiting } from './wait-world.js';

const ENV = { RATE_LIMITS: 'off', ALLOW_PRIVATE_NETWORK: 'true' };

let world: RunWorld;
let other: TestServer;
let key: string;
beforeAll(async () => {
  world = await RunWorld.open({ env: ENV });
  other = await startTestServer({ database: world.server.database, env: { ...ENV, ROLES: 'api' } });
  key = await world.server.key();
});
afterAll(async () => {
  await other.close();
  await world.close();
});

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const WAITS = `subscription ($wait: ID, $run: ID, $kind: WaitKind, $after: ID) {
  waitChanged(waitId: $wait, runId: $run, kind: $kind, after: $after) {
    id previousStatus status at wait { id runId kind status answer } } }`;
const RUNS = `subscription ($run: ID, $after: ID, $workflow: ID) {
  runStatusChanged(runId: $run, after: $after, workflowId: $workflow) { id previousStatus status version run { id } } }`;

/** Follows a subscription over SSE, on the process without a worker. */
async function follow(query: string, variables: Record<string, unknown>, on = other) {
  const abort = new AbortController();
  open.push(() => abort.abort());
  const reader = new EventReader(await openStream(on, key, { query, variables }, abort.signal));
  const heard: any[] = [];
  const state = { isOver: false, errors: undefined as any };
  void (async () => {
    for (let event = await reader.next(); event?.event === 'next'; event = await reader.next()) {
      if (event.data.errors) state.errors = event.data.errors;
      else heard.push(Object.values(event.data.data)[0]);
    }
    state.isOver = true;
  })().catch(() => undefined);
  return { heard, state, close: () => abort.abort() };
}

const FLOW = [{ name: 'paid', kind: 'wait_for_callback', config: {} }];
const post = (url: string, body: unknown = 1) => world.client.send('POST', pathOf(url), { body: JSON.stringify(body) });
const texts = (heard: any[]) => heard.map(({ previousStatus, status }) => `${previousStatus} ${status}`);

describe('waitChanged', () => {
  it('with waitId gives the last change at once, then the end, and completes', async () => {
    const { hook } = await world.workflow(FLOW);
    const [wait] = await waiting(world, await world.fire(hook));
    const { heard, state } = await follow(WAITS, { wait: wait.id });
    await until(() => heard.length === 1);
    expect(heard[0]).toMatchObject({
      previousStatus: null,
      status: 'PENDING',
      wait: { id: wait.id, kind: 'CALLBACK' },
    });
    await post(wait.url, { n: 1 });
    await until(() => state.isOver);
    expect(texts(heard)).toEqual(['null PENDING', 'PENDING ANSWERED']);
    expect(heard[1].wait).toMatchObject({ status: 'ANSWERED', answer: { body: { n: 1 } } });
    const late = await follow(WAITS, { wait: wait.id });
    await until(() => late.state.isOver);
    expect(late.heard).toEqual([heard[1]]);
  });

  it('without waitId gives every change of the account, of one run or kind, and resumes behind any', async () => {
    const { hook } = await world.workflow(FLOW);
    const asking = await world.workflow([{ name: 'ask', kind: 'wait_for_approval', config: { title: 'T' } }]);
    const all = await follow(WAITS, {});
    const approvals = await follow(WAITS, { kind: 'APPROVAL' });
    await until(async () => (await world.client.graphql('{ __typename }')).status === 200);
    const runs = [await world.fire(hook), await world.fire(hook)];
    const ofRun = await follow(WAITS, { run: runs[1] });
    const asked = await world.fire(asking.hook);
    const found = await Promise.all([...runs, asked].map((run) => waiting(world, run)));
    const ids = found.map(([wait]) => wait.id);
    const mine = () => all.heard.filter(({ wait }) => ids.includes(wait.id));
    for (const [wait] of found.slice(0, 2)) await post(wait.url);
    await world.client.rest('POST', `/runs/${asked}/cancel`);
    await until(() => mine().length === 6);
    for (const id of ids) {
      const own = mine().filter(({ wait }) => wait.id === id);
      expect(texts(own)).toEqual(['null PENDING', id === ids[2] ? 'PENDING CANCELED' : 'PENDING ANSWERED']);
    }
    await until(() => approvals.heard.length === 2);
    expect(approvals.heard.every(({ wait }) => wait.id === ids[2])).toBe(true);
    await until(() => ofRun.heard.some(({ status }) => status === 'ANSWERED'));
    expect(ofRun.heard.every(({ wait }) => wait.id === ids[1])).toBe(true);
    for (const [place, change] of all.heard.entries()) {
      const resumed = await follow(WAITS, { after: change.id });
      const rest = all.heard.slice(place + 1).map(({ id }) => id);
      await until(() => resumed.heard.length >= rest.length);
      expect(resumed.heard.map(({ id }) => id)).toEqual(rest);
      resumed.close();
    }
  });

  it('refuses arguments that do not go together, and unknown ids', async () => {
    const { hook } = await world.workflow(FLOW);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    const mixed = await follow(WAITS, { wait: wait.id, run });
    await until(() => mixed.state.errors !== undefined);
    expect(mixed.state.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR' });
    for (const variables of [{ wait: 'wait_0' }, { run: 'run_0' }, { after: 'wch_0' }]) {
      const unknown = await follow(WAITS, variables);
      await until(() => unknown.state.errors !== undefined);
      const { code, details } = unknown.state.errors[0].extensions;
      expect([code, details?.[0].field]).toEqual(['NOT_FOUND', 'after' in variables ? 'after' : undefined]);
    }
    await post(wait.url);
  });
});

describe('GET /waits/{id}?wait=', () => {
  it('holds the response until the wait is not pending', async () => {
    const { hook } = await world.workflow(FLOW);
    const [wait] = await waiting(world, await world.fire(hook));
    const held = world.client.rest('GET', `/waits/${wait.id}?wait=30`);
    await until(async () => (await world.client.rest('GET', `/waits/${wait.id}`)).status === 200);
    await post(wait.url);
    expect((await held).body).toMatchObject({ status: 'answered' });
  });
});

describe('runStatusChanged of a run that waits twice', () => {
  const TWICE = [
    { name: 'one', kind: 'wait_for_callback', config: {} },
    { name: 'two', kind: 'wait_for_callback', config: {} },
  ];
  const ALL = ['1 QUEUED', '2 RUNNING', '3 WAITING', '4 RUNNING', '5 WAITING', '6 RUNNING', '7 SUCCEEDED'];

  it('gives each change once, live and when it resumes behind any of them', async () => {
    const { id, hook } = await world.workflow(TWICE);
    const live = await follow(RUNS, { workflow: id });
    const run = await world.fire(hook);
    const single = await follow(RUNS, { run });
    for (const name of ['one', 'two']) {
      await until(async () => (await waiting(world, run)).some(({ step }) => step === name));
      const [wait] = await waiting(world, run);
      await post(wait.url);
    }
    expect((await world.ended(run)).status).toBe('succeeded');
    await until(() => live.heard.length === ALL.length && single.state.isOver);
    const named = (heard: any[]) => heard.map(({ version, status }) => `${version} ${status}`);
    expect(named(live.heard)).toEqual(ALL);
    expect(texts(live.heard)).toEqual([
      'null QUEUED',
      'QUEUED RUNNING',
      'RUNNING WAITING',
      'WAITING RUNNING',
      'RUNNING WAITING',
      'WAITING RUNNING',
      'RUNNING SUCCEEDED',
    ]);
    expect(named(single.heard)).toEqual(ALL.slice(-single.heard.length));
    for (const [place, change] of live.heard.entries()) {
      const resumed = await follow(RUNS, { workflow: id, after: change.id });
      const rest = ALL.slice(place + 1);
      // Changes of the minute before the position may come again.
      const fresh = () => named(resumed.heard).filter((text) => Number(text[0]) > place + 1);
      await until(() => fresh().length >= rest.length);
      expect(fresh()).toEqual(rest);
      resumed.close();
    }
  });
});
