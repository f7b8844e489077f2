import { AuthorizationFlows } from '../../../src/features/integrations/connect/authorization-flow.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';

let world: IntegrationWorld;
beforeAll(async () => {
  world = await IntegrationWorld.open();
});
afterAll(() => world.close());

/** The `Link` of an integration over REST, and its `flowOpen` over GraphQL. */
async function open(id: string): Promise<[string | null, boolean]> {
  const { headers } = await world.client.rest('GET', `/integrations/${id}`);
  const { body } = await world.client.graphql('query ($id: ID!) { integration(id: $id) { flowOpen } }', { id });
  return [headers.get('link'), body.data.integration.flowOpen];
}

const monitorOf = (id: string, version: number) =>
  `<${world.server.baseUrl}/v1/integrations/${id}?wait=30&after_version=${version}>; rel="monitor"`;

describe('an integration with an open flow', () => {
  it('says so until the user has granted access', async () => {
    const { id, state } = await world.start('oauth_app');
    expect(await open(id)).toEqual([monitorOf(id, 1), true]);
    await world.callback({ state, code: 'alice' });
    expect(await open(id)).toEqual([null, false]);
  });

  it('says so during a reconnect, also when the connection expires in between', async () => {
    world.provider.onToken = () => ({ body: { access_token: 'short', token_type: 'bearer', expires_in: 60 } });
    const { id, state } = await world.start('bare_app');
    await world.callback({ state, code: 'alice' }, { type: 'bare_app' });
    const again = await world.restart(id);
    expect([(await world.get(id)).status, ...(await open(id))]).toEqual(['connected', monitorOf(id, 2), true]);
    await world.server.advance(61_000);
    await until(async () => (await world.get(id)).status === 'expired');
    expect(await open(id)).toEqual([monitorOf(id, 3), true]);
    world.provider.reset();
    await world.callback({ state: again.state, code: 'alice' }, { type: 'bare_app' });
    expect([(await world.get(id)).status, ...(await open(id))]).toEqual(['connected', null, false]);
  });

  it('says so of a version that is no longer the current one: its flow may have been open', async () => {
    const { id, state } = await world.start('oauth_app');
    await world.callback({ state, code: 'alice' });
    const [row] = await world.server.db.query<{ account: string }>('SELECT account_id AS account FROM integrations');
    const uuid = fromPublicId('int', id)!;
    const flows = Object.create(AuthorizationFlows.prototype) as AuthorizationFlows;
    const seen = [2, 1].map((version) => ({ uuid, version }));
    expect(await flows.mayBeOpen(world.server.db, row!.account, seen)).toEqual([false, true]);
  });

  it('costs one statement for a list of any length', async () => {
    // The fewest of several: periodic jobs send statements too.
    const fewest = async (perPage: number) => {
      const counts: number[] = [];
      for (let time = 0; time < 10; time += 1) {
        const before = world.server.db.statements;
        await world.client.graphql(`{ integrations(perPage: ${perPage}) { items { flowOpen } } }`);
        counts.push(world.server.db.statements - before);
      }
      return Math.min(...counts);
    };
    expect(await fewest(3)).toBe(await fewest(1));
  });
});
