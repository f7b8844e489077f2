import { toPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { signedIn } from '../support/worlds/people.js';

const ACTOR = 'actor { id kind name }';
const HISTORY = `query ($id: ID!) { integration(id: $id) { history { items { reason ${ACTOR} } } } }`;

describe('the author of a change', () => {
  let server: TestServer;
  let ada: Client;
  let bob: Client;
  let key: Client;
  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = new Client(server.baseUrl, await server.key());
    ada = (await signedIn(server, { name: 'Ada' })).client;
    bob = (await signedIn(server, { name: 'Bob', email: 'bob@people.example' })).client;
  });
  afterAll(() => server.close());

  async function ask(client: Client, query: string, variables: Record<string, unknown>): Promise<any> {
    const { body } = await client.graphql(query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  }

  /** Connects the sandbox with a key of it. @returns the integration's id. */
  async function connected(client: Client): Promise<string> {
    const connect = `mutation { connectIntegration(input: { type: "sandbox_api_key", credentials: { api_key: "sandbox_valid_key" } }) {
      ... on Integration { id } } }`;
    return (await ask(client, connect, {})).connectIntegration.id;
  }

  const historyFor = async (client: Client, id: string) =>
    (await ask(client, HISTORY, { id })).integration.history.items;
  const disconnect = (client: Client, id: string) =>
    ask(client, 'mutation ($id: ID!) { disconnectIntegration(id: $id) { id } }', { id });
  const byAda = { id: expect.stringMatching(/^usr_/), kind: 'USER', name: 'Ada' };
  const byKey = { id: expect.stringMatching(/^key_/), kind: 'API_KEY', name: 'test' };

  it('is in the history of a connection, with names for people alone', async () => {
    const id = await connected(key);
    await disconnect(ada, id);
    expect(await historyFor(ada, id)).toEqual([
      { reason: 'disconnected_by_user', actor: byAda },
      { reason: 'connected', actor: byKey },
    ]);
    expect((await historyFor(key, id)).map(({ actor }: any) => actor.name)).toEqual([null, null]);
  });

  it('keeps the id, not the name, of a user who was removed', async () => {
    const id = await connected(bob);
    const { users } = await ask(ada, '{ users { items { id name } } }', {});
    const { id: removed } = users.items.find(({ name }: { name: string }) => name === 'Bob');
    await ask(ada, 'mutation ($id: ID!) { removeUser(id: $id) }', { id: removed });
    expect(await historyFor(ada, id)).toEqual([
      { reason: 'connected', actor: { id: removed, kind: 'USER', name: null } },
    ]);
  });

  it('is with a change that others receive, such as a deletion', async () => {
    const id = await connected(ada);
    await ask(key, 'mutation ($id: ID!) { deleteIntegration(id: $id) }', { id });
    const [row] = await server.db.query<{ id: string }>(`SELECT id FROM integration_changes WHERE reason = 'deleted'`);
    const node = `query ($id: ID!) { node(id: $id) { ... on IntegrationStatusChange { reason ${ACTOR} } } }`;
    expect((await ask(ada, node, { id: toPublicId('chg', row!.id) })).node).toEqual({
      reason: 'deleted',
      actor: byKey,
    });
  });

  it('is with a webhook until it is enabled again', async () => {
    const input = { url: `${server.baseUrl}/hook`, events: ['run.failed'] };
    const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }';
    const { id } = (await ask(ada, create, { input })).createWebhook.webhook;
    const set = (client: Client, change: object) =>
      ask(
        client,
        `mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) {
        disabledBy { id kind name } } }`,
        { id, input: change },
      );
    expect((await set(ada, { status: 'DISABLED' })).updateWebhook.disabledBy).toEqual(byAda);
    expect((await set(key, { events: ['run.succeeded'] })).updateWebhook.disabledBy).toMatchObject({ kind: 'USER' });
    expect((await set(ada, { status: 'ENABLED' })).updateWebhook.disabledBy).toBeNull();
  });

  it('is with a run that was canceled', async () => {
    const { createWorkflow } = await ask(
      ada,
      'mutation { createWorkflow(input: { name: "w", status: ACTIVE }) { id } }',
      {},
    );
    const { id } = createWorkflow;
    await key.rest('POST', '/triggers', { body: { workflow_id: id, type: 'manual' } });
    const run = async () => (await key.rest('POST', `/workflows/${id}/runs`, { body: {} })).body.id as string;
    const cancel = 'mutation ($id: ID!) { cancelRun(id: $id) { status canceledBy { id kind name } } }';
    expect((await ask(ada, cancel, { id: await run() })).cancelRun).toEqual({ status: 'CANCELED', canceledBy: byAda });
    expect((await ask(key, cancel, { id: await run() })).cancelRun.canceledBy).toEqual({ ...byKey, name: null });
  });
});
