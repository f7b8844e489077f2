import { Client } from '../../support/http/client.js';
import { until } from '../../support/until.js';
import { overSse, overWebSocket } from './listeners.js';
import { IntegrationWorld } from '../world.js';

const DAY = 86_400_000;

describe('a live list of integrations', () => {
  let world: IntegrationWorld;
  let accounts = 0;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
  });
  afterAll(() => world.close());

  /** A client of an account of its own. */
  async function client(): Promise<Client> {
    return new Client(world.server.baseUrl, await world.server.key('read-write', `live ${(accounts += 1)}`));
  }

  async function connect(as: Client): Promise<string> {
    const credentials = { api_key: 'sandbox_valid_key' };
    const body = { type: 'sandbox_api_key', credentials };
    return (await as.rest('POST', '/integrations/connect', { body })).body.id as string;
  }

  async function latest(as: Client): Promise<string> {
    const query = '{ integrations { latestChange } integrationConnection(first: 1) { latestChange } }';
    const { data } = (await as.graphql(query)).body;
    expect(data.integrations.latestChange).toBe(data.integrationConnection.latestChange);
    return data.integrations.latestChange as string;
  }

  /** The integrations whose changes are told after a change, once there are so many. */
  async function told(as: Client, after: string, count: number): Promise<string[]> {
    const listener = overWebSocket(world.server, as.key!, { after });
    await until(() => listener.heard.length >= count);
    listener.close();
    return listener.heard.map(({ integrationId }) => integrationId);
  }

  it('goes on from its latest change, also of an account that has none', async () => {
    const as = await client();
    const start = await latest(as);
    const ids = [await connect(as), await connect(as)];
    expect(await told(as, start, 2)).toEqual(ids);
    const next = await latest(as);
    ids.push(await connect(as));
    expect(await told(as, next, 1)).toEqual(ids.slice(2));
    // Resent, it gives the same again.
    expect(await told(as, start, 3)).toEqual(ids);
    const query = 'query ($id: ID!) { integration(id: $id) { history { items { id } } } }';
    const { body } = await as.graphql(query, { id: ids[2] });
    expect(await latest(as)).toBe(body.data.integration.history.items[0].id);
  });

  it('goes on after 30 quiet days, and when the latest change is no longer stored', async () => {
    const as = await client();
    const first = await connect(as);
    const before = await latest(as);
    await world.server.advance(40 * DAY);
    const quiet = await latest(as);
    expect(quiet).not.toBe(before);
    const second = await connect(as);
    expect(await told(as, quiet, 1)).toEqual([second]);
    await as.rest('DELETE', `/integrations/${first}`);
    const deleted = await latest(as);
    await world.server.db.query('DELETE FROM integration_changes WHERE reason = $1', ['deleted']);
    const gone = await latest(as);
    expect(gone).not.toBe(deleted);
    const third = await connect(as);
    expect(await told(as, gone, 1)).toEqual([third]);
    await world.server.advance(31 * DAY);
    await connect(as);
    const late = overSse(world.server, as.key!, { after: gone });
    expect(await late.ended).toBe('NOT_FOUND');
    late.close();
  });
});
