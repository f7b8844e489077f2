import { checkTransition, SHOWN_REASONS } from '../../../src/features/integrations/changes/integration-status.js';
import { type Route, ROUTES } from '../../../src/transports/rest/routes.js';
import { Client } from '../../support/http/client.js';
import { signedIn } from '../../support/worlds/people.js';
import { RestDocument } from '../../support/http/rest-document.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { isForPersons, sampleRequests, type Things } from './sample-requests.js';
import { pendingWait } from '../../support/worlds/pending-wait.js';

const document = new RestDocument();

/** An operation as the document has it. */
const documented = ({ path, method }: Route): any => document.document.paths[path]![method.toLowerCase()];
const requestOf = (route: Route) => documented(route).requestBody?.content['application/json'];
/** The pointer of the schema beside an example. */
const pointerOf = ({ path, method }: Route, place: string) =>
  `paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/${place}/content/application~1json/schema`;

const REASONS = Object.keys(SHOWN_REASONS);
const INTEGRATION_ROUTES = ROUTES.filter((route) => integrationsIn(documented(route)).length > 0);

/** The examples of integrations in the responses of an operation. */
function integrationsIn({ responses }: any): any[] {
  const examples = Object.values<any>(responses).map(({ content }) => content?.['application/json']?.example);
  const things = examples.flatMap((example) => (Array.isArray(example?.data) ? example.data : [example]));
  return things.filter((thing) => String(thing?.id).startsWith('int_') && thing.status !== undefined);
}

describe('the examples of the OpenAPI document', () => {
  it.each(ROUTES)('of $method $path are there and fit their schemas', (route) => {
    const { responses } = documented(route);
    const request = requestOf(route);
    if (request !== undefined)
      expect(document.faultsOfValue(pointerOf(route, 'requestBody'), request.example)).toEqual([]);
    const successes = Object.keys(responses).filter((status) => status.startsWith('2') && status !== '204');
    for (const status of successes) {
      const { example } = responses[status].content['application/json'];
      expect(document.faultsOfValue(pointerOf(route, `responses/${status}`), example)).toEqual([]);
    }
    const ids: any[] = documented(route).parameters?.filter((parameter: any) => parameter.in === 'path') ?? [];
    expect(ids.map(({ example }: any) => example)).toEqual(
      ids.map(() => expect.stringMatching(/^[a-z]+_[0-9a-z]{26}$/)),
    );
    expect(successes.length + ids.length).toBeGreaterThan(0);
  });

  it('of changes of an integration are changes that the service records', () => {
    const { example } = documented(ROUTES.find(({ operation }) => operation === 'ListIntegrationHistory')!)
      .responses[200].content['application/json'];
    expect(example.data.length).toBeGreaterThan(0);
    for (const { previous_status: from, status, reason } of example.data) {
      expect(() => checkTransition(from, status, reason)).not.toThrow();
    }
  });

  it.each(INTEGRATION_ROUTES)('of $method $path have a reason that belongs to the status', (route) => {
    for (const integration of integrationsIn(documented(route))) {
      expect(integration).toEqual(
        integration.status === 'connected'
          ? expect.not.objectContaining({ status_reason: expect.anything() })
          : expect.objectContaining({ status_reason: expect.stringMatching(new RegExp(`^(${REASONS.join('|')})$`)) }),
      );
    }
  });

  describe('as requests', () => {
    let server: TestServer;
    let key: Client;
    let person: Client;
    let made: Things;
    const clientOf = (route: Route) => (isForPersons(route) ? person : key);
    const create = async (operation: string, changes: object = {}, path?: string) => {
      const route = ROUTES.find((one) => one.operation === operation)!;
      const body = { ...requestOf(route).example, ...changes };
      const { status, body: answer } = await clientOf(route).rest('POST', path ?? route.path, { body });
      expect([operation, status]).toEqual([operation, 201]);
      return answer;
    };

    beforeAll(async () => {
      server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
      key = new Client(server.baseUrl, await server.key());
      person = (await signedIn(server)).client;
      const workflow = (await create('CreateWorkflow')).id as string;
      const trigger = (await create('CreateTrigger', { workflow_id: workflow })).id as string;
      const integration = (await create('ConnectIntegration')).id as string;
      const webhook = (await create('CreateWebhook', { url: `${server.baseUrl}/livez` })).id as string;
      const apiKey = (await create('CreateApiKey')).api_key.id as string;
      made = { workflow, trigger, integration, webhook, api_key: apiKey, run: 'none' };
      await create('CreateTrigger', { workflow_id: workflow, type: 'manual', config: null });
      await key.rest('PUT', `/workflows/${workflow}`, ACTIVE);
      made.endedRun = (await create('CreateWorkflowRun', {}, `/workflows/${workflow}/runs`)).id as string;
      await key.rest('POST', `/runs/${made.endedRun}/cancel`);
      made.wait = (await pendingWait(server.db, made.endedRun, 'approval')).wait;
    });
    afterAll(() => server.close());

    it.each(ROUTES.filter((route) => requestOf(route)?.example !== undefined))(
      'are taken: $method $path is answered with the fields of its own example',
      async (route) => {
        if (['CreateWorkflowRun', 'RetryRun'].includes(route.operation))
          await key.rest('PUT', `/workflows/${made.workflow}`, ACTIVE);
        // The example of its change disables the webhook.
        if (route.operation === 'RedeliverWebhook')
          await key.rest('PUT', `/webhooks/${made.webhook}`, { body: { status: 'enabled' } });
        const { path } = (await sampleRequests(key, made)).find((one) => one.route === route)!;
        const body = withReal(requestOf(route).example, made, server.baseUrl);
        const answer = await clientOf(route).rest(route.method, path, { body });
        const { example } = documented(route).responses[answer.status].content['application/json'];
        expect(shapeOf(answer.body)).toEqual(shapeOf(example));
      },
    );
  });
});

const ACTIVE = { body: { status: 'active' } };

/** The ids and the URL of an example lead to nothing: those of things that are there. */
function withReal(body: Record<string, unknown>, { workflow }: Things, baseUrl: string): Record<string, unknown> {
  return {
    ...body,
    ...('workflow_id' in body ? { workflow_id: workflow } : {}),
    ...('url' in body ? { url: `${baseUrl}/livez` } : {}),
  };
}

/** Objects whose keys an application decides on. */
const FREE = new Set(['headers']);

/** The fields that the service decides on: the keys of an answer, and of the objects in it. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inner === null ? null : FREE.has(key) ? 'free' : shapeOf(inner)]),
  );
}
