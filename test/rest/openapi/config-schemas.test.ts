import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { actionKinds } from '../../../src/features/actions/kinds/index.js';
import { triggerKinds } from '../../../src/features/triggers/kinds/index.js';
import { Client } from '../../support/http/client.js';
import { RestDocument } from '../../support/http/rest-document.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const document = new RestDocument();
const pascal = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

let server: TestServer;
let client: Client;
let workflow: string;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
  workflow = (await client.rest('POST', '/workflows', { body: { name: 'Configs' } })).body.id as string;
  const connection = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
  expect((await client.rest('POST', '/integrations/connect', { body: connection })).status).toBe(201);
});
afterAll(() => server.close());

type Config = Record<string, unknown>;

const create = (type: string, config: unknown) =>
  client.rest('POST', '/triggers', { body: { workflow_id: workflow, type, config } });
const save = (kind: string, config: unknown) =>
  client.rest('PUT', `/workflows/${workflow}/actions`, { body: { actions: [{ name: 'a', kind, config }] } });

/** A config of each kind with every key that it may have. */
const TRIGGERS: Readonly<Record<string, Config>> = {
  schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin', catch_up: 'last' },
  webhook: { secret: 'hush', signature_header: 'X-Sign', dedupe_header: 'X-Id' },
  app_event: { event: 'item.created', filter: { 'a.b': 1 } },
  manual: {},
};
const ACTIONS: Readonly<Record<string, Config>> = {
  http_request: { method: 'POST', url: 'https://shop.example/orders', headers: { 'X-A': 'b' }, body: [1] },
  app_request: {
    integration_id: 'int_01kagrx8010000000000000000',
    method: 'GET',
    path: '/me',
    headers: {},
    body: null,
  },
  condition: { path: 'trigger.body.total', operator: 'greater_than', value: 5 },
  delay: { seconds: 1.5 },
  send_email: { to: ['ada@example.com'], subject: 'Hello', text: 'There' },
  wait_for_approval: { title: 'Refund' },
  wait_for_callback: { timeout_seconds: 3_600 },
  wait_for_connection: { type: 'sandbox_oauth', reference: 'user_7' },
};

/** What is wrong by the document, and which fields the service refuses. */
async function judged(
  schema: string,
  config: unknown,
  send: (config: unknown) => Promise<{ status: number; body: any }>,
): Promise<{ documented: boolean; refused: string[] }> {
  const documented = document.faultsOfValue(`components/schemas/${schema}`, config).length === 0;
  const { status, body } = await send(config);
  if (status >= 400) expect([status, body.code]).toEqual([400, 'validation_error']);
  return { documented, refused: (body.details ?? []).map(({ field }: { field: string }) => field) };
}

const kinds = [
  ...Object.values(triggerKinds).map(({ type, keys }) => ({
    name: type,
    schema: `${pascal(type)}TriggerConfig`,
    whole: TRIGGERS[type]!,
    keys,
    send: (config: unknown) => create(type, config),
    prefix: 'config.',
  })),
  ...actionKinds
    .filter(({ kind }) => kind !== 'app_request')
    .map(({ kind, keys }) => ({
      name: kind,
      schema: `${pascal(kind)}ActionConfig`,
      whole: ACTIONS[kind]!,
      keys,
      send: (config: unknown) => save(kind, config),
      prefix: 'actions.0.config.',
    })),
];

describe.each(kinds)('the schema of the config of $name', ({ schema, whole, keys, send, prefix }) => {
  it('takes what the service takes, unknown keys too', async () => {
    expect(await judged(schema, whole, send)).toEqual({ documented: true, refused: [] });
    expect(await judged(schema, { ...whole, no_key_of_it: { a: 1 } }, send)).toEqual({ documented: true, refused: [] });
  });

  it('requires what the service requires', async () => {
    for (const [key, { required }] of Object.entries(keys)) {
      const { [key]: _, ...rest } = whole;
      const { documented, refused } = await judged(schema, rest, send);
      expect([key, documented]).toEqual([key, !required]);
      if (required) expect(refused).toContain(prefix + key);
    }
  });

  it('names keys that the service looks at', async () => {
    for (const [key, { schema: value }] of Object.entries(keys)) {
      // Any JSON, or a number as well: such keys take this value.
      if (Object.keys(value).length === 0 || [value.type].flat().includes('number')) continue;
      const { documented, refused } = await judged(schema, { ...whole, [key]: 7.5e9 }, send);
      expect([key, documented, refused]).toEqual([key, false, [prefix + key]]);
    }
  });
});

describe('the schema of a list of actions', () => {
  it('distinguishes the kinds', () => {
    const pointer = 'components/schemas/Action';
    for (const [kind, config] of Object.entries(ACTIONS)) {
      expect([kind, document.faultsOfValue(pointer, { name: 'a', kind, config })]).toEqual([kind, []]);
      const wrong = kind === 'wait_for_callback' ? { timeout_seconds: 1 } : {};
      expect(document.faultsOfValue(pointer, { name: 'a', kind, config: wrong })).not.toEqual([]);
    }
    expect(document.faultsOfValue(pointer, { name: 'a', kind: 'none', config: {} })).not.toEqual([]);
  });
});
