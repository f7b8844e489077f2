import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { BLOCKS } from './guide.js';

let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterAll(() => world.close());

it('urql.mjs takes no change twice when its subscription completes, and goes on', async () => {
  // A subscription to one integration completes with its deletion. urql sends the last result again then.
  const code = BLOCKS.get('urql.mjs')!
    .replace('subscription ($after: ID!)', 'subscription ($id: ID!)')
    .replace('integrationStatusChanged(after: $after)', 'integrationStatusChanged(integrationId: $id)')
    .replace('subscription(CHANGES, { after })', 'subscription(CHANGES, { id: ids.shift() })')
    .replace('let outcome;', 'const ids = [process.env.OTHER_ID, INTEGRATION_ID];\nlet outcome;');
  expect(code).toContain('OTHER_ID');
  world.copy.write('of-one.mjs', code);
  const [awaited, other] = [await world.flow(), await world.flow()];
  const client = world.copy.start('of-one.mjs', { INTEGRATION_ID: awaited.id, OTHER_ID: other.id });
  const said = (line: string) => client.lines.filter((one) => one === line).length;
  // The list, and the first change.
  await until(() => said(`${other.id} PENDING`) === 2);
  await world.client.rest('DELETE', `/integrations/${other.id}`);
  await until(() => said(`${awaited.id} PENDING`) > 1);
  await awaited.grant();
  expect([await client.exit, client.errors]).toEqual([0, '']);
  expect(said(`${other.id} DISCONNECTED`)).toBe(1);
});
