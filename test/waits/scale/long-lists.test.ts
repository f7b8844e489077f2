import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isInTransaction } from '../../../src/platform/db/transaction-context.js';
import { Secrets } from '../../../src/platform/encryption/secrets.js';
import { type RunWorld } from '../../support/worlds/run-world.js';
import { awaitConnection, openConnectionWorld } from '../connection-world.js';
import { pathOf, waiting } from '../wait-world.js';

const { open } = Secrets.prototype;
let world: RunWorld;
/** For each list that was decrypted, whether a transaction was open. */
let decrypted: boolean[];
beforeAll(async () => {
  world = await openConnectionWorld();
  Secrets.prototype.open = function (this: Secrets, sealed, context) {
    if (context.table === 'action_lists') decrypted.push(isInTransaction());
    return open.call(this, sealed, context);
  };
});
afterAll(async () => {
  Secrets.prototype.open = open;
  await world.close();
});
beforeEach(() => {
  world.received.length = 0;
  decrypted = [];
});

const ASK = { name: 'ask', kind: 'wait_for_approval', config: { title: 'Ship it', note: 'x'.repeat(50_000) } };
const NAMES = ['a', 'b', 'c'];
const CALLBACKS = NAMES.map((name) => ({ name, kind: 'wait_for_callback', config: {} }));

/** The run of a long list that has passed on URLs and waits for the approval `ask`. */
async function waitingRun(urls: string[], later: readonly object[]): Promise<{ run: string; paths: string[] }> {
  const { hook } = await world.workflow([world.call('tell', { body: urls }), ASK, ...later]);
  const run = await world.fire(hook, { user: 'u1' });
  await waiting(world, run);
  const told = JSON.parse(world.received.find(({ url }) => url === '/tell')!.body) as string[];
  decrypted = [];
  return { run, paths: told.map(pathOf) };
}

const cancel = (run: string) => world.client.rest('POST', `/runs/${run}/cancel`);
const post = (path: string, body: unknown) => world.client.send('POST', path, { body: JSON.stringify(body) });
const statusOf = async (path: string) => (await fetch(new URL(path, world.server.url))).status;

describe('a long list of actions', () => {
  it('is decrypted once for all that open the page of one of its waits', async () => {
    const { run, paths } = await waitingRun(['{{ waits.access.connect_url }}'], [awaitConnection()]);
    const visits = await Promise.all(Array.from({ length: 10 }, () => statusOf(paths[0]!)));
    expect(new Set(visits)).toEqual(new Set([200]));
    expect(decrypted).toEqual([false]);
    await cancel(run);
    expect(await statusOf(paths[0]!)).toBe(410);
    const retry = await world.client.rest('POST', `/runs/${run}/retry`);
    await waiting(world, retry.body.id);
    decrypted = [];
    expect([await statusOf(paths[0]!), await statusOf(paths[0]!)]).toEqual([200, 200]);
    expect(decrypted).toEqual([]);
  });

  it('is not decrypted for a post to a run that has ended', async () => {
    const { run, paths } = await waitingRun(
      NAMES.map((name) => `{{ waits.${name}.url }}`),
      CALLBACKS,
    );
    await cancel(run);
    decrypted = [];
    const answers = await Promise.all(paths.map((path) => post(path, {})));
    expect(answers.map(({ status }) => status)).toEqual([410, 410, 410]);
    expect(decrypted).toEqual([]);
  });

  it('is decrypted once for early answers, and not in the transaction that they share with other accounts', async () => {
    const { run, paths } = await waitingRun(
      NAMES.map((name) => `{{ waits.${name}.url }}`),
      CALLBACKS,
    );
    const answers = await Promise.all(paths.map((path, place) => post(path, place)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(decrypted).toEqual([false]);
    const [{ id }] = await waiting(world, run);
    await world.client.rest('POST', `/waits/${id}/answer`, { body: { decision: 'approved' } });
    const { steps } = await world.ended(run);
    expect(steps.slice(2).map(({ output }: { output: unknown }) => output)).toEqual([
      { body: 0 },
      { body: 1 },
      { body: 2 },
    ]);
  });
});
