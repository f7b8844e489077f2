import { getNamedType, type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { compileOperation, viewSchema } from '../../../src/transports/rest/documents.js';
import { type Parameter } from '../../../src/transports/rest/parameter.js';
import { toRestName } from '../../../src/transports/rest/names.js';
import { type Route, ROUTES } from '../../../src/transports/rest/routes.js';
import { type Queryable } from '../../../src/platform/db/database.js';
import { type Client } from '../../support/http/client.js';
import { pendingWait } from '../../support/worlds/pending-wait.js';
import { clientSchema } from './client-schema.js';

/** One request that a route takes, as far as its types tell; ids are of things that exist. */
export interface Sample {
  route: Route;
  parameters: readonly Parameter[];
  path: string;
  /** Absent for GET. */
  body?: Record<string, unknown>;
}

/** The id of one thing of each kind, by its word in paths and parameters; made over REST. */
export type Things = Partial<Record<string, string>> & Record<'workflow' | 'trigger' | 'integration' | 'run', string>;

/** What can't be told from a parameter's name and type alone. */
const VALUES: Record<string, Record<string, unknown>> = {
  CreateWorkflow: { status: 'draft' },
  CreateApiKey: { scope: 'read-only' },
  ConnectIntegration: { type: 'sandbox_oauth' },
  ReconnectIntegration: { credentials: { api_key: 'sandbox_valid_key' } },
  CallIntegration: { method: 'GET', path: '/me' },
  CallConnection: { method: 'GET', path: '/me', connection: { type: 'sandbox_api_key', reference: 'sample' } },
  CreateTrigger: { type: 'manual' },
  CreateWebhook: { url: 'http://127.0.0.1:9/', events: ['run.failed'] },
  UpdateWebhook: { events: ['run.failed'] },
  AnswerWait: { body: null },
  SetWorkflowActions: { actions: [{ name: 'a', kind: 'delay', config: { seconds: 1 } }] },
};

export async function makeThings(client: Client, db: Queryable): Promise<Things> {
  const made = async (path: string, body: object) => (await client.rest('POST', path, { body })).body;
  const workflow = (await made('/workflows', { name: 'sample', status: 'active' })).id;
  const credentials = { api_key: 'sandbox_valid_key' };
  const connect = { type: 'sandbox_api_key', credentials, reference: 'sample' };
  const integration = (await made('/integrations/connect', connect)).id;
  const hook = await made('/triggers', { workflow_id: workflow, type: 'webhook' });
  const posted = await fetch(hook.webhook_url as string, { method: 'POST', body: '1' });
  const { run_id: run } = (await posted.json()) as { run_id: string };
  await made('/triggers', { workflow_id: workflow, type: 'manual' });
  const endedRun = (await made(`/workflows/${workflow}/runs`, {})).id;
  await client.rest('POST', `/runs/${endedRun}/cancel`);
  const history = await client.graphql<{ integration: { history: { items: { id: string }[] } } }>(
    'query ($id: ID!) { integration(id: $id) { history { items { id } } } }',
    { id: integration },
  );
  const bulk = (await made('/runs/retry', { workflow_id: workflow })).id;
  const change = history.body.data.integration.history.items[0]!.id;
  // The creation of the run.
  const runChange = `${run.replace('run_', 'rch_')}_1`;
  const { body: log } = await client.rest('GET', '/events?limit=1');
  const event = log.data[0].id;
  const waits = await pendingWait(db, run);
  const webhooks = await makeWebhook(client);
  return {
    workflow,
    integration,
    trigger: hook.id,
    run,
    endedRun,
    bulk,
    change,
    runChange,
    event,
    ...waits,
    ...webhooks,
  };
}

/** An outbound webhook with a delivery, once there are any; its address is one that answers. */
async function makeWebhook(client: Client): Promise<Partial<Record<string, string>>> {
  if (!ROUTES.some(({ path }) => path === '/webhooks')) return {};
  const body = { url: `${client.baseUrl}/livez`, events: ['run.succeeded'] };
  const webhook = (await client.rest('POST', '/webhooks', { body })).body.id;
  const delivery = (await client.rest('POST', `/webhooks/${webhook}/test`)).body?.delivery_id;
  return { webhook, delivery };
}

/** A request for every route; new routes get one automatically. */
export async function sampleRequests(client: Client, things: Things): Promise<Sample[]> {
  const schema = viewSchema(await clientSchema(client));
  return ROUTES.map((route) => {
    const { parameters } = compileOperation(schema, route);
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idFor(route, name, things));
    if (route.method === 'GET') return { route, parameters, path };
    const body = Object.fromEntries(
      parameters
        .filter(({ name }) => !route.path.includes(`{${name}}`))
        // Ids that may be left out are there too, so that they are tried with those of others.
        .filter(({ name, type }) => isNonNullType(type) || isId(type) || VALUES[route.operation]?.[name] !== undefined)
        .map(({ name, type }) => [name, VALUES[route.operation]?.[name] ?? valueOf(name, type, things)]),
    );
    return { route, parameters, path, body };
  });
}

function isId(type: GraphQLInputType): boolean {
  return getNamedType(type).name === 'ID';
}

/** The id that `{name}` of a path, or `workflow_id` in a body, stands for. */
function idFor(route: Route, name: string, things: Things): string {
  const kind = kindOf(route, name);
  return things[kind] ?? `unknown_${kind}`;
}

/** Whether a route is closed to every key. */
export const isForPersons = ({ feature }: Route): boolean =>
  feature === 'api-keys' || feature === 'accounts' || feature === 'audit-log';

/** The kind of thing whose id `{name}` of a path stands for, or `workflow_id` of a body. */
export function kindOf({ operation, path }: Route, name: string): string {
  // Only what is over can be done again.
  if (operation === 'RetryRun') return 'endedRun';
  if (operation === 'ListAuditLog') return 'workflow';
  return name === 'id' ? path.split('/')[1]!.replace(/s$/, '') : name.replace(/_id$/, '');
}

function valueOf(name: string, type: GraphQLInputType, things: Things): unknown {
  if (isNonNullType(type)) return valueOf(name, type.ofType, things);
  if (isListType(type)) return [];
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]!.name.toLowerCase();
  if (isInputObjectType(named)) {
    const required = Object.values(named.getFields()).filter((field) => isNonNullType(field.type));
    return Object.fromEntries(
      required.map((field) => [toRestName(field.name), valueOf(field.name, field.type, things)]),
    );
  }
  if (named.name === 'ID') return things[name.replace(/_id$/, '')] ?? 'unknown_id';
  return { Int: 1, Boolean: true, JSONObject: {}, DateTime: '2030-01-01T00:00:00Z' }[named.name] ?? 'text';
}
