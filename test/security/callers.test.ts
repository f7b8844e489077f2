import { getNamedType, type GraphQLObjectType, type GraphQLSchema, isObjectType, isUnionType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { accessOf } from '../../src/platform/graphql/access.js';
import { overSse, overWebSocket } from '../integrations/changes/listeners.js';
import { clientSchema } from '../rest/openapi/client-schema.js';
import { isForPersons, makeThings, type Sample, sampleRequests, type Things } from '../rest/openapi/sample-requests.js';
import { toPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { makeUser, signedIn } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { databaseState } from '../support/database/database-state.js';
import { pendingWait } from '../support/worlds/pending-wait.js';
import { firstEvent } from './event-stream.js';
import { type RootField, rootFields } from './root-fields.js';
import { until } from '../support/until.js';

type Who = 'nobody' | 'reader' | 'writer' | 'person' | 'session' | 'otherSession' | 'expired' | 'signedOut';
type What = keyof typeof MAY;

/**
 * What each kind of caller may do, written down once more and by hand: `src/platform/graphql/access.ts` must say the
 * same.
 */
const MAY = {
  'reads the account': ['reader', 'writer', 'person'],
  'reads the types': ['reader', 'writer', 'person', 'session', 'otherSession'],
  'follows one integration': ['reader', 'writer', 'person', 'session'],
  'listens without naming one': ['reader', 'writer', 'person'],
  'starts a flow': ['writer', 'person', 'otherSession'],
  'repeats the flow of one integration': ['writer', 'person', 'session'],
  'writes to the account': ['writer', 'person'],
  'manages keys and users': ['person'],
} as const satisfies Record<string, readonly Who[]>;

const CALLERS: readonly Who[] = [
  'nobody',
  'reader',
  'writer',
  'person',
  'session',
  'otherSession',
  'expired',
  'signedOut',
];

/** What a session reaches, by root field; all else is what the root field's access says. */
const SPECIAL: Record<string, What> = {
  integration: 'follows one integration',
  integrationStatusChanged: 'follows one integration',
  integrationTypes: 'reads the types',
  integrationType: 'reads the types',
  connectIntegration: 'starts a flow',
  reconnectIntegration: 'repeats the flow of one integration',
};

let server: TestServer;
let clients: Record<Who, Client>;
let schema: GraphQLSchema;
/** The integration is one that `session` was made for, and `otherSession` was not. */
let things: Things;
let samples: Sample[];
let fields: RootField[];

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  const clientOf = (key?: string) => new Client(server.baseUrl, key);
  const writer = clientOf(await server.key());
  things = await makeThings(writer, server.db);
  const token = async (body: object) => (await writer.rest('POST', '/connect_sessions', { body })).body.token as string;
  const expired = clientOf(await token({ integration_id: things.integration, expires_in: 60 }));
  await server.advance(60_000);
  clients = {
    nobody: clientOf(),
    reader: clientOf(await server.key('read-only')),
    writer,
    session: clientOf(await token({ integration_id: things.integration, expires_in: 3600 })),
    otherSession: clientOf(await token({ type: 'sandbox_oauth', expires_in: 3600 })),
    expired,
    person: (await signedIn(server)).client,
    signedOut: (await signedIn(server)).client,
  };
  await clients.signedOut.send('POST', '/auth/sign-out');
  Object.assign(things, await makePersonal());
  samples = await sampleRequests(writer, things);
  schema = await clientSchema(writer);
  fields = rootFields(schema, things);
});
afterAll(() => server.close());

/** What only persons make and end, each fresh. */
async function makePersonal(): Promise<Record<'apiKey' | 'api_key' | 'user' | 'invitation', string>> {
  const { body } = await clients.person.graphql(
    'mutation ($email: String!) { createApiKey(input: { label: "x", scope: READ_ONLY }) { apiKey { id } } inviteUser(email: $email) { id } }',
    { email: `invited${performance.now()}@people.example` },
  );
  const [row] = await server.db.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    await makeUser(server),
  ]);
  const apiKey = body.data.createApiKey.apiKey.id as string;
  return { apiKey, api_key: apiKey, user: toPublicId('usr', row!.id), invitation: body.data.inviteUser.id as string };
}

/** An earlier request may have disconnected it. */
async function reconnect(): Promise<void> {
  const body = { credentials: { api_key: 'sandbox_valid_key' } };
  await clients.writer.rest('POST', `/integrations/${things.integration}/reconnect`, { body });
}

async function queuedRun(): Promise<string> {
  return (await clients.writer.rest('POST', `/workflows/${things.workflow}/runs`)).body.id as string;
}

/** What a root field is an instance of. */
function whatOf(rootField: string): What {
  const special = SPECIAL[rootField];
  if (special !== undefined) return special;
  const access = accessOf(rootField);
  if (access === 'person') return 'manages keys and users';
  return access === 'write' ? 'writes to the account' : 'reads the account';
}

const may = (who: Who, what: What): boolean => (MAY[what] as readonly Who[]).includes(who);
const knows = (who: Who): boolean => !['nobody', 'expired', 'signedOut'].includes(who);

/** What the refusals of `who` have left as it was is compared once, at the end. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  const before = await databaseState(server.db);
  const result = await work();
  const after = await databaseState(server.db);
  // The last use of a key is noted, and so is what the key was allowed.
  delete before.api_keys;
  delete after.api_keys;
  expect(after).toEqual(before);
  return result;
}

describe.each(CALLERS)('REST, to %s,', (who) => {
  const rootOf = ({ route }: Sample) =>
    ({
      ListIntegrationTypes: 'integrationTypes',
      GetIntegration: 'integration',
      ListIntegrationHistory: 'integration',
      ConnectIntegration: 'connectIntegration',
      ReconnectIntegration: 'reconnectIntegration',
    })[route.operation];
  const kindOf = (sample: Sample): What => {
    const root = rootOf(sample);
    if (root !== undefined) return SPECIAL[root]!;
    if (isForPersons(sample.route)) return 'manages keys and users';
    return sample.route.method === 'GET' ? 'reads the account' : 'writes to the account';
  };

  it('refuses what it may not do, and does nothing of it', async () => {
    await refusing(async () => {
      for (const sample of samples.filter((one) => !may(who, kindOf(one)))) {
        const { route, path, body } = sample;
        const answer = await clients[who].rest(route.method, path, body ? { body } : {});
        const expected = knows(who) ? [403, 'forbidden'] : [401, 'unauthorized'];
        expect([route.operation, answer.status, answer.body.code]).toEqual([route.operation, ...expected]);
      }
    });
  });

  it('allows what it may do', async () => {
    for (const sample of samples.filter((one) => may(who, kindOf(one)) && one.route.method !== 'DELETE')) {
      const { route, path, body } = sample;
      // The one that there is was canceled by `writer`.
      const isOver = route.operation === 'CancelRun' && who === 'person';
      const fresh = route.operation === 'AnswerWait' ? (await pendingWait(server.db, things.run)).wait : things.wait!;
      if (/^Call/.test(route.operation)) await reconnect();
      const at = (isOver ? path.replace(things.run, await queuedRun()) : path).replace(things.wait!, fresh);
      const { status } = await clients[who].rest(route.method, at, body ? { body } : {});
      expect([route.operation, status < 300]).toEqual([route.operation, true]);
    }
  });
});

describe.each(CALLERS)('GraphQL, to %s,', (who) => {
  async function ask({ operation, query, variables }: RootField) {
    const { body } =
      operation === 'subscription'
        ? { body: await firstEvent(clients[who], query, variables, 500) }
        : await clients[who].graphql(query, variables);
    return body?.errors?.[0].extensions.code as string | undefined;
  }
  /** Who follows names the one integration. */
  const named = (field: RootField): RootField =>
    field.name === 'integrationStatusChanged'
      ? { ...field, variables: { ...field.variables, integrationId: things.integration } }
      : field;

  it('refuses what it may not do, and does nothing of it', async () => {
    await refusing(async () => {
      for (const field of fields.filter(({ name }) => !may(who, whatOf(name)))) {
        expect([field.name, await ask(named(field))]).toEqual([field.name, knows(who) ? 'FORBIDDEN' : 'UNAUTHORIZED']);
      }
    });
  });

  it('allows what it may do', async () => {
    for (const field of fields.filter(({ name }) => may(who, whatOf(name)) && !/^delete/.test(name))) {
      // The one that there was is canceled by now, over REST.
      const asked = field.name === 'cancelRun' ? { ...field, variables: { id: await queuedRun() } } : named(field);
      if (field.name === 'answerWait')
        asked.variables = { ...asked.variables, id: (await pendingWait(server.db, things.run)).wait };
      if (field.name === 'callApplication') await reconnect();
      // Resources that the previous field ended are created again.
      if (accessOf(field.name) === 'person' && 'id' in field.variables) {
        const kind = field.ids[0]!.kind as keyof Awaited<ReturnType<typeof makePersonal>>;
        asked.variables = { ...asked.variables, id: (await makePersonal())[kind] };
      }
      expect([field.name, await ask(asked)]).toEqual([field.name, undefined]);
    }
  });
});

describe.each([
  ['WebSocket', overWebSocket, { nobody: '4401', expired: '4401', signedOut: '4401' }],
  ['event stream', overSse, { nobody: 'cut', expired: 'cut', signedOut: 'cut' }],
] as const)('over a %s', (_, door, unknown) => {
  it.each([
    ['follows one integration', () => ({ id: things.integration })],
    ['listens without naming one', () => ({})],
  ] as const)('%s only callers with permission', async (what, from) => {
    for (const who of CALLERS) {
      const { key, always } = clients[who];
      const listening = door(server, key ?? always, from());
      if (may(who, what)) {
        // One without an id is silent until there is a change.
        const heard = async () => {
          await until(() => listening.heard.length > 0);
          return 'heard';
        };
        const end =
          what === 'follows one integration' ? heard() : new Promise((resolve) => setTimeout(resolve, 200, 'silent'));
        expect([who, await Promise.race([end, listening.ended])]).toEqual([who, expect.stringMatching(/heard|silent/)]);
      } else {
        const expected = knows(who) ? 'FORBIDDEN' : unknown[who as 'nobody' | 'expired' | 'signedOut'];
        expect([who, await listening.ended]).toEqual([who, expected]);
      }
      listening.close();
    }
  });
});

describe('a session and the integrations of others', () => {
  it('gets 403 alike for an existing, a foreign and an unknown one', async () => {
    const stranger = new Client(server.baseUrl, await server.key('read-write', 'stranger'));
    const foreign = (await makeThings(stranger, server.db)).integration;
    const ids = [things.integration, foreign, 'int_01h455vb4pex5vsknk084sn02q', 'nonsense'];
    const { otherSession } = clients;
    const answers = new Set<string>();
    for (const id of ids) {
      const read = await otherSession.rest('GET', `/integrations/${id}?wait=1`);
      const again = await otherSession.rest('POST', `/integrations/${id}/reconnect`);
      const { body } = await otherSession.graphql('query ($id: ID!) { integration(id: $id) { id } }', { id });
      const event = await firstEvent(
        otherSession,
        'subscription ($id: ID!) { integrationStatusChanged(integrationId: $id, afterVersion: 0) { id } }',
        { id },
      );
      for (const { status, body } of [read, again]) answers.add(JSON.stringify([status, body]));
      for (const { errors } of [body, event!]) {
        expect([id, errors![0].extensions.code]).toEqual([id, 'FORBIDDEN']);
        answers.add(errors![0].message as string);
      }
    }
    expect([...answers].length).toBe(2);
  });
});

describe('a document of a session', () => {
  it('is refused whole for one mutation that it may not do', async () => {
    await refusing(async () => {
      for (const query of [
        'mutation { connectIntegration(input: { type: "sandbox_oauth" }) { __typename } createWorkflow(input: { name: "x" }) { id } }',
        'mutation { ...M } fragment M on Mutation { createWorkflow(input: { name: "x" }) { id } }',
        'query Read { integrationTypes { meta { total } } } mutation M { createApiKey(input: { label: "x", scope: READ_ONLY }) { secret } }',
      ]) {
        const { status, body } = await clients.otherSession.send('POST', '/graphql', {
          body: { query, ...(query.startsWith('query') ? { operationName: 'Read' } : {}) },
        });
        expect([status, body.data, body.errors[0].extensions.code]).toEqual([403, undefined, 'FORBIDDEN']);
      }
    });
  });

  it('leads from its integration to nothing of the account', async () => {
    const { body } = await clients.session.graphql(
      'query ($id: ID!) { integration(id: $id) { eventsUrl eventsSecret history { items { integration { id } } } } }',
      { id: things.integration },
    );
    expect(body.data.integration).toEqual({
      eventsUrl: null,
      eventsSecret: null,
      history: { items: expect.arrayContaining([{ integration: { id: things.integration } }]) },
    });
    for (const links of ['triggers', 'history { items { integration { triggers']) {
      const close = ' }'.repeat((links.match(/\{/g) ?? []).length);
      const refused = await clients.session.graphql(
        `query ($id: ID!) { integration(id: $id) { ${links} { items { workflow { id name } } }${close} } }`,
        { id: things.integration },
      );
      expect([refused.body.data, refused.body.errors![0].extensions.code]).toEqual([
        { integration: null },
        'FORBIDDEN',
      ]);
    }
    const owned = await clients.writer.graphql(
      'query ($id: ID!) { integration(id: $id) { eventsUrl eventsSecret triggers { meta { total } } } }',
      { id: things.integration },
    );
    expect(owned.body.data.integration).toEqual({
      eventsUrl: expect.stringContaining('/events/'),
      eventsSecret: expect.stringMatching(/./),
      triggers: { meta: { total: 0 } },
    });
  });

  it('can reach these types and no others, whatever links the schema gets', () => {
    const open = new Set(['follow', 'connect', 'reconnect']);
    const guarded = new Set(
      getMetadataStorage()
        .fieldResolvers.filter(({ roles }) => roles !== undefined && !roles.some((role) => open.has(role as string)))
        .map(({ target, schemaName }) => `${typeNameOf(target)}.${schemaName}`),
    );
    const reached = new Set<string>();
    const visit = (type: GraphQLObjectType): void => {
      if (reached.has(type.name)) return;
      reached.add(type.name);
      for (const { name, type: inner } of Object.values(type.getFields())) {
        if (!guarded.has(`${type.name}.${name}`)) enter(getNamedType(inner));
      }
    };
    const enter = (type: unknown): void => {
      if (isObjectType(type)) visit(type);
      else if (isUnionType(type)) type.getTypes().forEach(visit);
    };
    for (const root of [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!]) {
      for (const { name, type } of Object.values(root.getFields())) {
        if (open.has(accessOf(name) ?? '')) enter(getNamedType(type));
      }
    }
    expect([...reached].sort()).toEqual([
      'AppParameter',
      'ConnectedAccount',
      'CredentialField',
      'Integration',
      'IntegrationAuthorization',
      'IntegrationStatusChange',
      'IntegrationStatusChangePage',
      'IntegrationType',
      'IntegrationTypeAuth',
      'IntegrationTypePage',
      'PageMeta',
    ]);
  });
});

/** The type whose fields a resolver class resolves. */
function typeNameOf(resolver: unknown): string | undefined {
  const { resolverClasses, objectTypes } = getMetadataStorage();
  const type = resolverClasses.find(({ target }) => target === resolver)?.getObjectType();
  return objectTypes.find(({ target }) => target === type)?.name;
}
