import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Client, fetchExchange } from 'urql';
import { createFromTemplate, type Made } from '../../../src/dashboard/workflows/templates/create-from-template.js';
import { TEMPLATES } from '../../../src/dashboard/workflows/templates/catalog/index.js';
import { type Template } from '../../../src/dashboard/workflows/templates/template.js';
import { defineApp } from '../../../src/features/integrations/apps/app.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';

const EMAIL = 'nina@example.com';
const STATUS = {
  page: { name: 'GitHub', url: 'https://www.githubstatus.com' },
  status: { indicator: 'major', description: 'Major outage' },
};
const ORDERS = 'Order A-1001 from Ada Lovelace: 250';

describe('the templates', () => {
  let peer: Server;
  let server: TestServer;
  let account: Account;
  let client: Client;
  let connection: string;
  const requests: { method: string; path: string; body: unknown }[] = [];

  beforeAll(async () => {
    peer = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        requests.push({ method: request.method!, path: request.url!, body: text === '' ? null : JSON.parse(text) });
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(STATUS));
      });
    }).listen(0);
    const url = `http://localhost:${(peer.address() as AddressInfo).port}`;
    const app = defineApp({
      type: 'stand_in',
      name: 'Stand-in',
      documentationUrl: url,
      auth: {
        kind: 'api_key',
        placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
        verify: { method: 'GET', url, ok: [200] },
      },
      apiBaseUrl: url,
      events: { issues: {} },
      eventSource: { header: 'X-Event', signature: { header: 'X-Signature', algorithm: 'sha256', encoding: 'hex' } },
    });
    server = await startTestServer({ apps: [app], env: { ALLOW_PRIVATE_NETWORK: 'true' } });
    const { client: person, cookie } = await signedIn(server);
    account = new Account(person);
    const headers = { cookie, origin: server.baseUrl };
    client = new Client({
      url: `${server.baseUrl}/graphql`,
      exchanges: [fetchExchange],
      fetchOptions: { headers },
      preferGetMethod: false,
    });
    const connect = `mutation { connectIntegration(input: { type: "stand_in", credentials: { api_key: "key" } }) {
      ... on Integration { id } } }`;
    connection = (await account.ask(connect)).connectIntegration.id;
  });
  beforeEach(() => void requests.splice(0));
  afterAll(async () => {
    await server.close();
    peer.closeAllConnections();
    await new Promise((closed) => peer.close(closed));
  });

  const templates = TEMPLATES.map((templateFor) => templateFor({ email: EMAIL }));

  const named = (name: string): Template => templates.find((template) => template.name === name)!;

  const create = (template: Template, known = true): Promise<Made> =>
    createFromTemplate(client, template, {
      name: template.name,
      description: template.description,
      activates: false,
      connectionOf: async () => (known ? connection : undefined),
    });

  /** Runs a new workflow with the sample of its template. @returns the run. */
  async function tried(template: Template): Promise<{ status: string; steps: { name: string; output: any }[] }> {
    const { id } = await create(template);
    const test = 'mutation ($id: ID!, $input: JSON) { testWorkflow(workflowId: $id, input: $input) { id } }';
    const { testWorkflow } = await account.ask(test, { id, input: template.sample });
    const run = 'query ($id: ID!) { run(id: $id, wait: 30) { status steps { name output } } }';
    return (await account.ask(run, { id: testWorkflow.id })).run;
  }

  async function mails(): Promise<{ recipients: string[]; subject: string }[]> {
    return server.db.query('SELECT recipients, subject FROM mails ORDER BY created_at');
  }

  it('announce an order in Slack', async () => {
    const { status, steps } = await tried(named('New order to Slack'));
    expect([status, steps.length]).toEqual(['SUCCEEDED', 2]);
    expect(requests).toEqual([
      { method: 'POST', path: '/chat.postMessage', body: { channel: '#orders', text: ORDERS } },
    ]);
  });

  it('create a contact in HubSpot', async () => {
    const { status, steps } = await tried(named('Form to HubSpot contact'));
    expect([status, steps.length]).toEqual(['SUCCEEDED', 2]);
    const properties = { email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace' };
    expect(requests).toEqual([{ method: 'POST', path: '/crm/v3/objects/contacts', body: { properties } }]);
  });

  it('create a task in Todoist, for an opened issue only', async () => {
    const template = named('GitHub issue to Todoist task');
    const { status } = await tried(template);
    expect(status).toBe('SUCCEEDED');
    const body = {
      content: 'acme/shop: The total is wrong',
      description: 'https://github.com/acme/shop/issues/7',
    };
    expect(requests).toEqual([{ method: 'POST', path: '/tasks', body }]);
    const { triggers } = await account.ask('{ triggers(type: APP_EVENT) { items { config } } }');
    expect(triggers.items).toEqual([
      { config: { event: 'issues', integration_id: connection, filter: { action: 'opened' } } },
    ]);
  });

  it('report a problem of a status page by email', async () => {
    const template = named('Health check with email');
    const [check, ...others] = template.actions;
    const url = `http://localhost:${(peer.address() as AddressInfo).port}/api/v2/status.json`;
    const actions = [{ ...check!, config: { ...check!.config, url } }, ...others];
    const { status, steps } = await tried({ ...template, actions });
    expect([status, steps.length]).toEqual(['SUCCEEDED', 3]);
    expect((await mails()).at(-1)).toEqual({ recipients: [EMAIL], subject: 'GitHub reports a problem' });
  });

  it('send a receipt for a signed payment, and refuse an unsigned one', async () => {
    const template = named('Payment receipt by email');
    const { status } = await tried(template);
    expect(status).toBe('SUCCEEDED');
    expect((await mails()).at(-1)).toEqual({ recipients: ['ada@example.com'], subject: 'Your receipt pay_1001' });
    const { triggers } = await account.ask('{ triggers(type: WEBHOOK, perPage: 1) { items { webhookUrl } } }');
    const posted = await fetch(triggers.items[0].webhookUrl, { method: 'POST', body: '{}' });
    expect(posted.status).toBe(401);
  });

  it('create nothing for a trigger without its connection, and no actions where theirs is missing', async () => {
    const count = async () => (await account.ask('{ workflows { meta { total } } }')).workflows.meta.total as number;
    const before = await count();
    await expect(create(named('GitHub issue to Todoist task'), false)).rejects.toThrow('Connect GitHub first.');
    expect(await count()).toBe(before);
    const { id, pending } = await create(named('New order to Slack'), false);
    const { workflow } = await account.ask('query ($id: ID!) { workflow(id: $id) { actions { name } } }', { id });
    expect(workflow.actions).toEqual([]);
    const slack = { type: 'slack', name: 'Slack' };
    expect(pending?.map(({ name, needs }) => [name, needs])).toEqual([
      ['large order', undefined],
      ['message', slack],
    ]);
  });
});
