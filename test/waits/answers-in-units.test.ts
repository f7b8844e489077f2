import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { pathOf, waiting } from './wait-world.js';

/** Answers of both ways at the same time. */
const COUNT = 12;

let world: RunWorld;
let waits: any[];

beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());

async function waitMany(): Promise<void> {
  const { hook } = await world.workflow([{ name: 'paid', kind: 'wait_for_callback', config: {} }]);
  const runs = await Promise.all(Array.from({ length: COUNT }, () => world.fire(hook)));
  waits = await Promise.all(runs.map(async (run) => (await waiting(world, run))[0]));
}

const callback = async ({ url }: { url: string }) =>
  (await world.client.send('POST', pathOf(url), { body: JSON.stringify('by its URL') })).status;
/** Sends a document as one unit of work. */
const once = async (key: string, query: string, variables: object) =>
  (await world.client.send('POST', '/graphql', { body: { query, variables }, headers: { 'idempotency-key': key } }))
    .body;
const statusOf = async ({ id }: { id: string }) => (await world.client.rest('GET', `/waits/${id}`)).body.status;
const even = <T>(all: readonly T[]) => all.filter((_, index) => index % 2 === 0);
const odd = <T>(all: readonly T[]) => all.filter((_, index) => index % 2 === 1);

describe('answers with an Idempotency-Key, beside callbacks', () => {
  it('are committed with their response, and the callbacks by themselves', async () => {
    await waitMany();
    const answer = (wait: any) =>
      world.client.rest('POST', `/waits/${wait.id}/answer`, {
        body: { body: 'by the API' },
        headers: { 'idempotency-key': `answer-${wait.id}` },
      });
    const each = waits.map(async (wait, index) => {
      if (index % 2 === 0) {
        const { status, body } = await answer(wait);
        return [status, body.status];
      }
      return [await callback(wait), await statusOf(wait)];
    });
    const expected = waits.map((_, index) => (index % 2 === 0 ? [200, 'answered'] : [202, 'answered']));
    expect(await Promise.all(each)).toEqual(expected);
    const again = await Promise.all(even(waits).map(answer));
    expect(again.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual(
      even(waits).map(() => [200, 'true']),
    );
  });

  it('are undone with their document, and the callbacks stay', async () => {
    await waitMany();
    const undone = async (wait: any) => {
      const query = `mutation ($id: ID!) {
        answerWait(id: $id, answer: { body: 1 }) { status }
        deleteWorkflow(id: "wf_00000000000000000000000000")
      }`;
      return (await once(`undone-${wait.id}`, query, { id: wait.id })).errors?.[0].extensions.code;
    };
    const taken = Promise.all(odd(waits).map(callback));
    expect(await Promise.all(even(waits).map(undone))).toEqual(even(waits).map(() => 'NOT_FOUND'));
    expect(await taken).toEqual(odd(waits).map(() => 202));
    expect(await Promise.all(even(waits).map(statusOf))).toEqual(even(waits).map(() => 'pending'));
    expect(await Promise.all(odd(waits).map(statusOf))).toEqual(odd(waits).map(() => 'answered'));
    for (const { run_id: run } of odd(waits)) expect((await world.ended(run)).status).toBe('succeeded');
    expect(await Promise.all(even(waits).map(callback))).toEqual(even(waits).map(() => 202));
    await until(async () => (await Promise.all(waits.map(statusOf))).every((status) => status === 'answered'));
  });

  it('cancel their own run in the same document', async () => {
    await waitMany();
    const [wait] = waits;
    const query = `mutation ($run: ID!, $id: ID!) {
      cancelRun(id: $run) { status }
      answerWait(id: $id, answer: { body: 1 }) { status }
    }`;
    const { errors } = await once('both', query, { run: wait.run_id, id: wait.id });
    expect(errors[0].extensions.code).toBe('CONFLICT');
    expect(await statusOf(wait)).toBe('pending');
  });
});
