import { EventWorld, type Source } from './event-world.js';
import { StillClock } from '../support/clock.js';

/** The events about each object, in the order in which they were recorded. */
interface Told {
  type: string;
  timestamp: string;
  data: { id: string };
}

const EVENTS = ['workflow', 'trigger'].flatMap((of) =>
  ['created', 'updated', 'deleted'].map((what) => `${of}.${what}`),
);
const OF_INTEGRATIONS = ['pending', 'connected', 'disconnected', 'deleted'].map((what) => `integration.${what}`);

/** A service whose time stands still: all changes are in one millisecond. */
describe('the timestamps of the events about one object', () => {
  let world: EventWorld;
  let source: Source;

  beforeAll(async () => {
    world = await EventWorld.open({ ALLOW_PRIVATE_NETWORK: 'true' }, new StillClock());
    await world.server.db.query(`ALTER TABLE webhook_events ADD COLUMN recorded bigserial`);
    source = await world.connect('unsigned');
    await rest('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: [...EVENTS, ...OF_INTEGRATIONS] });
  });
  afterAll(() => world.close());

  async function rest(method: string, path: string, body?: object): Promise<any> {
    const answer = await world.client.rest(method, path, body && { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** The types of an object's events; their timestamps have increased with each. */
  async function orderly(id: string): Promise<string[]> {
    const rows = await world.server.db.query<{ body: string }>('SELECT body FROM webhook_events ORDER BY recorded');
    const told = rows.map(({ body }) => JSON.parse(body) as Told).filter(({ data }) => data.id === id);
    const times = told.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...new Set(times)].sort());
    return told.map(({ type }) => type);
  }

  it('increase with each change of a workflow, also when the clock is set back', async () => {
    const { id } = await rest('POST', '/workflows', { name: 'Ordered' });
    await rest('PUT', `/workflows/${id}`, { status: 'active' });
    await rest('PUT', `/workflows/${id}/actions`, { actions: [] });
    await world.server.advance(-60_000);
    await rest('PUT', `/workflows/${id}`, { name: 'Ordered again' });
    await rest('DELETE', `/workflows/${id}`);
    const updates = Array.from({ length: 3 }, () => 'workflow.updated');
    expect(await orderly(id)).toEqual(['workflow.created', ...updates, 'workflow.deleted']);
  });

  it('increase with each change of a trigger, by a client or by the service', async () => {
    const { id: flow } = await rest('POST', '/workflows', { name: 'Of triggers' });
    const config = { event: 'thing.made', integration_id: source.id };
    const { id } = await rest('POST', '/triggers', { workflow_id: flow, type: 'app_event', config });
    const { id: alone } = await rest('POST', '/triggers', { workflow_id: flow, type: 'manual' });
    for (const status of ['paused', 'active']) {
      await rest('PUT', `/triggers/${id}`, { status });
      await rest('PUT', `/triggers/${alone}`, { status });
    }
    await rest('DELETE', `/triggers/${alone}`);
    await rest('POST', `/integrations/${source.id}/disconnect`);
    await rest('POST', `/integrations/${source.id}/reconnect`, { credentials: { api_key: 'sandbox_valid_key' } });
    await rest('DELETE', `/workflows/${flow}`);
    const updates = (count: number) => Array.from({ length: count }, () => 'trigger.updated');
    expect(await orderly(alone)).toEqual(['trigger.created', ...updates(2), 'trigger.deleted']);
    expect(await orderly(id)).toEqual(['trigger.created', ...updates(4), 'trigger.deleted']);
  });

  it('increase with each change of a copied trigger', async () => {
    const { id: flow } = await rest('POST', '/workflows', { name: 'Copied' });
    await rest('POST', '/triggers', { workflow_id: flow, type: 'manual' });
    await world.server.advance(1_000);
    const { body } = await world.client.graphql(
      'mutation ($id: ID!) { duplicateWorkflow(id: $id) { triggers { items { id } } } }',
      { id: flow },
    );
    const { id } = body.data.duplicateWorkflow.triggers.items[0];
    await rest('PUT', `/triggers/${id}`, { status: 'paused' });
    expect(await orderly(id as string)).toEqual(['trigger.created', 'trigger.updated']);
  });

  it('delay no delivery when the clock is set back', async () => {
    const { id: flow } = await rest('POST', '/workflows', { name: 'Of a past' });
    const { id } = await rest('POST', '/triggers', { workflow_id: flow, type: 'manual' });
    await world.server.advance(-60_000);
    await rest('PUT', `/triggers/${id}`, { status: 'paused' });
    const [late] = await world.server.db.query<{ count: number }>(
      `SELECT count(*) FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
       WHERE e.body LIKE '%"trigger.updated"%' AND e.body LIKE $1 AND next_attempt_at > clock_now() + interval '1 s'`,
      [`%${id}%`],
    );
    expect([late!.count, await orderly(id)]).toEqual([0, ['trigger.created', 'trigger.updated']]);
  });

  it('increase with each change of an integration, also with two in one transaction', async () => {
    const session = await rest('POST', '/connect_sessions', { type: 'sandbox_oauth' });
    const headers = { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ type: 'sandbox_oauth' });
    const begin = () => fetch(`${world.server.baseUrl}/v1/integrations/connect`, { method: 'POST', headers, body });
    await begin();
    const { integration_id: id } = (await (await begin()).json()) as { integration_id: string };
    await rest('DELETE', `/integrations/${id}`);
    const begun = Array.from({ length: 3 }, () => 'integration.pending');
    expect(await orderly(id)).toEqual([...begun, 'integration.deleted']);
    const { body: read } = await world.client.graphql(
      `query ($id: ID!) { node(id: $id) { ... on Integration { history { items { version at } } } } }`,
      { id: source.id },
    );
    const times = read.data.node.history.items.map(({ at }: { at: string }) => at) as string[];
    expect(times).toEqual([...new Set(times)].sort().reverse());
  });
});
