import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from '../support/http/client.js';
import { type RunWorld } from '../support/worlds/run-world.js';
import { appRequest, connectKey, KEY_TYPES, keyOf, openConnectionWorld } from './connection-world.js';

/** End users, spelled so that a careless comparison takes one for the other. */
const REFERENCES = ['7', '07', 'Ada', 'ada', 'ada ', 'é', 'e\u0301', '%', "o'hara"] as const;

let world: RunWorld;
let accounts: { client: Client; hook: string }[];
beforeAll(async () => {
  world = await openConnectionWorld();
  const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
  accounts = await Promise.all([world.client, other].map(async (client) => ({ client, hook: await hookOf(client) })));
});
afterAll(() => world.close());

/** A workflow that calls both applications for the end user of its trigger, and ends with what it could not call. */
async function hookOf(client: Client): Promise<string> {
  const { body } = await client.rest('POST', '/workflows', { body: { name: 'Flow' } });
  const connection = { type: '{{ trigger.body.type }}', reference: '{{ trigger.body.user }}' };
  await client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions: [appRequest({ connection })] } });
  await client.rest('PUT', `/workflows/${body.id}`, { body: { status: 'active' } });
  const trigger = await client.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'webhook' } });
  return new URL(trigger.body.webhook_url).pathname;
}

/** A connection as the test knows it. `since` orders the times at which connections were made. */
interface Known {
  id: string;
  account: number;
  type: string;
  reference: string;
  key: string;
  since: number;
  isConnected: boolean;
}

const place = { account: fc.nat(1), type: fc.constantFrom(...KEY_TYPES), reference: fc.constantFrom(...REFERENCES) };
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('connect' as const), ...place }) },
  fc.record({ kind: fc.constantFrom('disconnect' as const, 'reconnect' as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant('rename' as const), which: fc.nat(20), reference: place.reference }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let moments = 0;
async function take(one: Step, known: Known[]): Promise<void> {
  moments += 1;
  if (one.kind === 'connect') {
    const { account, type, reference } = one;
    const key = `key_of_moment_${moments}`;
    const id = await connectKey(accounts[account]!.client, { type, reference, key });
    known.push({ id, account, type, reference, key, since: moments, isConnected: true });
    return;
  }
  const found = known[one.which % Math.max(known.length, 1)];
  if (found === undefined) return;
  const { client } = accounts[found.account]!;
  const path = `/integrations/${found.id}`;
  if (one.kind === 'rename') {
    await client.rest('PUT', path, { body: { reference: one.reference } });
    found.reference = one.reference;
  } else if (one.kind === 'disconnect') {
    await client.rest('POST', `${path}/disconnect`);
    found.isConnected = false;
  } else {
    await client.rest('POST', `${path}/reconnect`, { body: { credentials: { api_key: found.key } } });
    Object.assign(found, { since: moments, isConnected: true });
  }
}

/** The key with which a run calls, or the code with which it fails. */
async function calls(account: number, type: string, user: string): Promise<string> {
  const { client, hook } = accounts[account]!;
  const fired = await client.send('POST', hook, { body: JSON.stringify({ type, user }) });
  const run = fired.body.run_id as string;
  const ended = (await client.rest('GET', `/runs/${run}?wait=30`)).body;
  const sent = world.received.filter(({ headers }) => headers['idempotency-key'] === `${run}-0`);
  return ended.status === 'succeeded' ? sent.map(keyOf).join() : (ended.error?.code as string);
}

describe('a step by reference', () => {
  it('uses the latest connection of its reference, type and account, and never another one', async () => {
    const known: Known[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.record(place), async (steps, last) => {
        for (const one of steps) await take(one, known);
        const wanted = [last, ...known.slice(-2)];
        for (const { account, type, reference } of wanted) {
          const [right] = known
            .filter((one) => one.isConnected && one.account === account && one.type === type)
            .filter((one) => one.reference === reference)
            .sort((a, b) => b.since - a.since);
          expect(await calls(account, type, reference)).toBe(right?.key ?? 'not_connected');
        }
      }),
      // Connections stay from one sequence to the next, so a shorter one would not fail in the same way.
      { numRuns: 20, endOnFailure: true },
    );
  });
});
