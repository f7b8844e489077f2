import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../../support/server.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { answerAtOnce } from './many-answers.js';
import { waiting } from '../wait-world.js';

const ENV = { RATE_LIMITS: 'off' };

let world: RunWorld;
let other: TestServer;
beforeAll(async () => {
  world = await RunWorld.open({ env: ENV });
  other = await startTestServer({ database: world.server.database, env: { ...ENV, ROLES: 'api' } });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

describe('100 answers to one wait at once', () => {
  it('are taken once, and the run goes on once', async () => {
    const { hook } = await world.workflow([
      { name: 'paid', kind: 'wait_for_callback', config: {} },
      world.call('after', { body: '{{ steps.paid.body }}' }),
    ]);
    const run = await world.fire(hook);
    const [wait] = await waiting(world, run);
    await answerAtOnce(wait, [world.server.url, other.url], world.client.key!);
    expect((await world.ended(run)).status).toBe('succeeded');
    expect(world.received.filter(({ headers }) => headers['idempotency-key'] === `${run}-1`)).toHaveLength(1);
  });
});
