import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failingMailsJob } from '../../../src/features/runs/failures/failing-mails.job.js';
import { AccountMail } from '../../../src/features/accounts/account-mail.js';
import { recordRunEvents } from '../../../src/features/runs/run-webhook.js';
import { type RunStatus } from '../../../src/features/runs/run-status.js';
import { MailQueue } from '../../../src/platform/mail/mail-queue.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { addUsers } from '../../support/worlds/people.js';
import { RunWorld } from '../../support/worlds/run-world.js';

const ENV = { RATE_LIMITS: 'off', ALLOW_PRIVATE_NETWORK: 'true', CONTACT_EMAIL: 'operator@example.com' };

let world: RunWorld;
/** A second process with a worker. */
let second: TestServer;
beforeAll(async () => {
  world = await RunWorld.open({ env: ENV });
  second = await startTestServer({ database: world.server.database, env: ENV, clock: world.server.clock });
});
afterAll(async () => {
  await second.close();
  await world.close();
});

/** Each run calls the target, which answers with what the input says. */
async function workflow(name: string, settings: object = {}, client = world.client) {
  world.reply = ({ url }) => ({ status: Number(url.slice(1)) });
  const { id } = (await client.rest('POST', '/workflows', { body: { name, status: 'active', ...settings } })).body;
  const config = { method: 'POST', url: `${world.targetUrl}/{{ trigger.body.status }}` };
  const actions = [{ name: 'call', kind: 'http_request', config }];
  const set = await client.rest('PUT', `/workflows/${id}/actions`, { body: { actions } });
  await client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'manual' } });
  if (set.status !== 200) throw new Error(JSON.stringify(set.body));
  return id as string;
}

/** Runs a workflow with these statuses of its target, one after another. @returns the ids of the runs. */
async function runs(id: string, ...statuses: number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const status of statuses) {
    const run = await start(id, status);
    await world.ended(run);
    ids.push(run);
  }
  return ids;
}

async function start(id: string, status: number): Promise<string> {
  return (await world.client.rest('POST', `/workflows/${id}/runs`, { body: { input: { status } } })).body.id;
}

/** Cancels a run that the worker has begun: its call waits for its target. */
async function cancelOne(id: string): Promise<void> {
  const { reply } = world;
  const called = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  world.reply = async () => {
    called.resolve();
    await answered.promise;
    return { status: 404 };
  };
  const run = await start(id, 404);
  await called.promise;
  await world.client.rest('POST', `/runs/${run}/cancel`);
  expect((await world.ended(run)).status).toBe('canceled');
  answered.resolve();
  world.reply = reply;
}

/** Posts to a hook of the paused workflow, which is kept as a skipped run. */
async function skipOne(id: string): Promise<void> {
  const { body } = await world.client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'webhook' } });
  await world.client.rest('PUT', `/workflows/${id}`, { body: { status: 'paused' } });
  await world.client.send('POST', new URL(body.webhook_url).pathname, { body: { status: 404 } });
  const skipped = await world.client.rest('GET', `/runs?workflow_id=${id}&status=skipped`);
  expect(skipped.body.meta.total).toBe(1);
  await world.client.rest('PUT', `/workflows/${id}`, { body: { status: 'active' } });
}

const told = async (id: string): Promise<any[]> =>
  (await world.client.rest('GET', '/events?limit=100&types=workflow.failing,workflow.recovered')).body.data.filter(
    ({ data }: any) => data.id === id,
  );
const types = async (id: string) => (await told(id)).map(({ type, data }) => [type, data.failures, data.last_run_id]);

describe('a workflow whose runs fail in a row', () => {
  it('is told once, and once more when it has recovered', async () => {
    const id = await workflow('Failing');
    const [, , third] = await runs(id, 404, 404, 404, 404, 404);
    expect(await types(id)).toEqual([['workflow.failing', 3, third]]);
    const [fine] = await runs(id, 200, 200);
    expect(await types(id)).toEqual([
      ['workflow.failing', 3, third],
      ['workflow.recovered', 3, fine],
    ]);
    const [{ data }] = await told(id);
    const { body: current } = await world.client.rest('GET', `/workflows/${id}`);
    const { failures: _, last_run_id: __, ...shown } = data;
    expect({ ...shown, run_count: current.run_count, failure_notice_after: 3 }).toEqual(current);
    const [, , again] = await runs(id, 404, 404, 404);
    expect((await types(id)).slice(2)).toEqual([['workflow.failing', 3, again]]);
  });

  it('starts again with each success, and with its own limit', async () => {
    const id = await workflow('Now and then', { failure_notice_after: 2 });
    await runs(id, 404, 200, 404, 200);
    expect(await types(id)).toEqual([]);
    const [, last] = await runs(id, 404, 404);
    expect(await types(id)).toEqual([['workflow.failing', 2, last]]);
  });

  it('counts neither test runs nor canceled and skipped ones', async () => {
    const id = await workflow('Counted', { failure_notice_after: 2 });
    await runs(id, 404);
    const test = `mutation ($id: ID!) { testWorkflow(workflowId: $id, input: { status: 404 }) { id } }`;
    const mutation = await world.client.graphql(test, { id });
    expect(mutation.body.errors).toBeUndefined();
    await world.ended(mutation.body.data.testWorkflow.id);
    expect(await types(id)).toEqual([]);
    const [row] = await world.server.db.query(`SELECT failures FROM workflow_failures WHERE workflow_id = $1`, [
      fromPublicId('wf', id),
    ]);
    expect(row).toEqual({ failures: 1 });
    await runs(id, 200);
    await runs(id, 404);
    await cancelOne(id);
    await skipOne(id);
    expect(await types(id)).toEqual([]);
    const [second] = await runs(id, 404);
    expect(await types(id)).toEqual([['workflow.failing', 2, second]]);
  });

  it('with null is never told, and its limit is 1 to 100', async () => {
    const id = await workflow('Quiet', { failure_notice_after: null });
    expect((await world.client.rest('GET', `/workflows/${id}`)).body.failure_notice_after).toBeNull();
    await runs(id, 404, 404, 404, 404);
    expect(await types(id)).toEqual([]);
    for (const failure_notice_after of [0, 101, 'x']) {
      const { body } = await world.client.rest('PUT', `/workflows/${id}`, { body: { failure_notice_after } });
      expect(body).toMatchObject({ code: 'validation_error', details: [{ field: 'failure_notice_after' }] });
    }
    await world.client.rest('PUT', `/workflows/${id}`, { body: { failure_notice_after: 1 } });
    const [run] = await runs(id, 404);
    expect(await types(id)).toEqual([['workflow.failing', 1, run]]);
    await world.client.rest('PUT', `/workflows/${id}`, { body: { name: 'Renamed' } });
    expect((await world.client.rest('GET', `/workflows/${id}`)).body.failure_notice_after).toBe(1);
  });

  it('is told once by two workers at once, and goes with its workflow', async () => {
    const id = await workflow('Busy', { failure_notice_after: 20 });
    const started = await Promise.all(Array.from({ length: 60 }, () => start(id, 404)));
    for (const run of started) await world.ended(run);
    expect((await types(id)).map(([type, failures]) => [type, failures])).toEqual([['workflow.failing', 20]]);
    const rows = () =>
      world.server.db.query(`SELECT failures, is_noticed FROM workflow_failures WHERE workflow_id = $1`, [
        fromPublicId('wf', id),
      ]);
    expect(await rows()).toEqual([{ failures: 20, is_noticed: true }]);
    await world.client.rest('DELETE', `/workflows/${id}`);
    expect(await rows()).toEqual([]);
  });

  it('writes nothing while it is healthy', async () => {
    const id = await workflow('Healthy');
    await runs(id, 200, 200);
    const rows = await world.server.db.query(`SELECT 1 AS one FROM workflow_failures WHERE workflow_id = $1`, [
      fromPublicId('wf', id),
    ]);
    expect(rows).toEqual([]);
  });
});

describe('ends that are saved together', () => {
  /** As many ended runs of the workflow, which have counted for nothing; the workflow then notices from 3 failures on. */
  async function ended(name: string, count: number): Promise<{ id: string; ids: string[] }> {
    const id = await workflow(name, { failure_notice_after: null });
    const ids = await runs(id, ...Array.from({ length: count }, () => 200));
    await world.client.rest('PUT', `/workflows/${id}`, { body: { failure_notice_after: 3 } });
    return { id, ids };
  }

  /** Saves ends of one workflow in one transaction. @returns the statements. */
  async function save(id: string, ends: readonly (readonly [run: string, to: RunStatus, at?: number])[]) {
    const { db } = world.server;
    const workflowUuid = fromPublicId('wf', id)!;
    const [row] = await db.query<{ account: string }>(`SELECT account_id AS account FROM workflows WHERE id = $1`, [
      workflowUuid,
    ]);
    const statements: string[] = [];
    await db.transaction(async (tx) => {
      const { query } = tx;
      tx.query = ((sql: string, values: unknown[]) => {
        statements.push(sql);
        return query.call(tx, sql, values);
      }) as typeof query;
      const reported = ends.map(([run, to, at = 1]) => ({
        ...{ run: fromPublicId('run', run)!, account: row!.account, workflow: workflowUuid },
        ...{ to, at },
      }));
      await recordRunEvents(tx, world.server.clock.now(), reported);
    });
    return statements;
  }

  it('count in their order: a success between failures of a healthy workflow ends the row', async () => {
    const { id, ids } = await ended('Mixed', 5);
    const [a, b, c, d, e] = ids as [string, string, string, string, string];
    await save(id, [
      [a, 'failed'],
      [b, 'succeeded'],
      [c, 'failed'],
      [d, 'failed'],
    ]);
    expect(await types(id)).toEqual([]);
    await save(id, [[e, 'failed']]);
    expect(await types(id)).toEqual([['workflow.failing', 3, e]]);
  });

  it('count in their order: failures after the success of a failing workflow begin a new row', async () => {
    const { id, ids } = await ended('Relapsed', 7);
    const [a, b, c, d, e, f, g] = ids as [string, string, string, string, string, string, string];
    const failing = [a, b, c].map((run) => [run, 'failed'] as const);
    await save(id, failing);
    await save(id, [
      [d, 'succeeded'],
      [e, 'failed'],
      [f, 'failed'],
      [g, 'failed'],
    ]);
    expect(await types(id)).toEqual([
      ['workflow.failing', 3, c],
      ['workflow.recovered', 3, d],
      ['workflow.failing', 3, g],
    ]);
  });

  it('count by the time of their end, not by their place', async () => {
    const { id, ids } = await ended('Late', 4);
    const [a, b, c, d] = ids as [string, string, string, string];
    await save(id, [
      [d, 'failed', 4],
      [a, 'failed', 1],
      [b, 'failed', 2],
      [c, 'succeeded', 3],
    ]);
    expect(await types(id)).toEqual([]);
  });

  it('cost no further statement if none changes the streak', async () => {
    const { id, ids } = await ended('Steady', 3);
    const follows = (statements: readonly string[]) =>
      statements.filter((sql) => sql.includes('workflow_failures') && !sql.includes('LEFT JOIN workflow_failures'));
    const all = (to: RunStatus) => ids.map((run) => [run, to] as const);
    expect(follows(await save(id, all('succeeded')))).toEqual([]);
    expect(follows(await save(id, all('failed')))).not.toEqual([]);
    expect(follows(await save(id, all('failed')))).toEqual([]);
  });
});

describe('mails about failing workflows', () => {
  const mails = async (to: string): Promise<any[]> =>
    world.server.db.query(
      `SELECT subject, text FROM mails WHERE $1 = ANY (recipients) AND key LIKE 'workflow-failing %' ORDER BY id`,
      [to],
    );
  const job = () => {
    const { db, clock } = world.server;
    return failingMailsJob({
      db,
      clock,
      mail: new AccountMail(new MailQueue(clock), 'operator@example.com'),
      baseUrl: 'https://flows.example',
    });
  };

  it('go to the operator while an account has no users, at most once in ten minutes, the later ones gathered', async () => {
    await until(async () => (await mails('operator@example.com')).length > 0);
    const before = (await mails('operator@example.com')).length;
    const names = ['Later 1', 'Later 2', 'Later 3'];
    for (const name of names) await runs(await workflow(name, { failure_notice_after: 1 }), 404);
    await job().run();
    expect(await mails('operator@example.com')).toHaveLength(before);
    await world.server.advance(601_000);
    await Promise.all([job().run(), job().run()]);
    const after = (await mails('operator@example.com')).slice(before);
    expect(after).toHaveLength(1);
    expect(after[0].subject).toMatch(/workflows are failing$/);
    for (const name of names) expect(after[0].text).toContain(`“${name}”`);
  });

  it('go to all users of the account, at once', async () => {
    const client = new Client(world.server.baseUrl, await world.server.key('read-write', 'Peopled'));
    const [account] = await world.server.db.query<{ id: string }>(`SELECT id FROM accounts WHERE name = 'Peopled'`);
    await addUsers(world.server, account!.id, ['ada@people.example', 'bob@people.example']);
    const id = await workflow('Theirs', { failure_notice_after: 1 }, client);
    const { body } = await client.rest('POST', `/workflows/${id}/runs`, { body: { input: { status: 404 } } });
    await until(async () => (await client.rest('GET', `/runs/${body.id}`)).body.finished_at !== null);
    await until(async () => (await mails('ada@people.example')).length === 1);
    const [mail] = await mails('bob@people.example');
    expect(mail.subject).toBe('Workflow “Theirs” is failing');
    expect(mail.text).toContain(`/runs/${body.id}`);
  });
});
