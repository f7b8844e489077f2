import { ROUTES } from '../../src/transports/rest/routes.js';
import { UNREPEATABLE } from '../../src/transports/graphql/repeatable-mutations.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { signedIn } from '../support/worlds/people.js';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const CREATE = 'mutation Make($name: String!) { createWorkflow(input: { name: $name }) { id name } }';

interface Asked {
  query: string;
  variables?: object;
  operationName?: string;
}

const send = (key: string, body: Asked, as = client, headers = {}) =>
  as.send('POST', '/graphql', { body, headers: { 'idempotency-key': key, ...headers } });
const create = (key: string, name: string) => send(key, { query: CREATE, variables: { name } });
const total = async () => (await client.rest('GET', '/workflows')).body.meta.total as number;
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed');

describe('Idempotency-Key over GraphQL', () => {
  it('a repeated mutation has no second effect and gets the same response', async () => {
    const before = await total();
    const first = await create('once', 'a');
    const again = await create('once', 'a');
    expect([first.status, again.status, replayed(first), replayed(again)]).toEqual([200, 200, null, 'true']);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await total()).toBe(before + 1);
  });

  it('20 at the same time do it once', async () => {
    const before = await total();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('race', 'r')));
    for (const { status, body } of answers)
      expect(status === 200 ? body.errors : body.errors[0].extensions.code).toEqual(
        status === 200 ? undefined : 'IDEMPOTENCY_IN_PROGRESS',
      );
    expect(await total()).toBe(before + 1);
  });

  it.each<[string, Asked]>([
    ['variables', { query: CREATE, variables: { name: 'other' } }],
    ['another document', { query: `${CREATE} `, variables: { name: 'a' } }],
    ['another operation', { query: CREATE, variables: { name: 'a' }, operationName: 'Make' }],
  ])('the same key with %s is IDEMPOTENCY_MISMATCH', async (what, body) => {
    await create(`mismatch ${what}`.replaceAll(' ', '-'), 'a');
    const { status, body: refused } = await send(`mismatch ${what}`.replaceAll(' ', '-'), body);
    expect([status, refused.errors[0].extensions.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  it('a number that a double rounds is another variable than its neighbour', async () => {
    const workflow = (await create('numbers-of', 'numbers')).body.data.createWorkflow.id as string;
    await client.rest('PUT', `/workflows/${workflow}`, { body: { status: 'active' } });
    await client.rest('POST', '/triggers', { body: { workflow_id: workflow, type: 'manual' } });
    const query = `mutation ($input: JSON) { runWorkflow(workflowId: "${workflow}", input: $input) { id } }`;
    const run = (input: string) =>
      client.send('POST', '/graphql', {
        body: `{"query":${JSON.stringify(query)},"variables":{"input":${input}}}`,
        headers: { 'idempotency-key': 'numbers' },
      });
    const first = await run('12345678901234567891');
    expect(first.body.data.runWorkflow.id).toMatch(/^run_/);
    expect((await run('12345678901234567892')).status).toBe(422);
    const again = await run('12345678901234567891.0');
    expect([again.body, replayed(again)]).toEqual([first.body, 'true']);
    const huge = await run('{"a":1e400}');
    expect(huge).toMatchObject({ status: 400, body: { errors: [{ extensions: { code: 'VALIDATION_ERROR' } }] } });
    expect(huge.body.errors[0].extensions.details).toMatchObject([{ field: 'variables.input.a' }]);
    const literal = query
      .replace('$input: JSON', '$unused: Int')
      .replace('$input', '[1e400]')
      .replace(/ \(.*?\)/, '');
    expect((await send('literal', { query: literal })).body.errors[0].message).toContain('range of a double');
  });

  it('the order and the spelling of variables do not matter', async () => {
    const query =
      'mutation ($name: String!, $d: String) { createWorkflow(input: { name: $name, description: $d }) { id } }';
    const post = (variables: string) =>
      client.send('POST', '/graphql', {
        body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
        headers: { 'idempotency-key': 'spelling' },
      });
    await post('{"name":"x","d":"\\u00e4"}');
    expect(replayed(await post('{ "d" : "ä", "name": "x" }'))).toBe('true');
  });

  it('a failed mutation is not stored, and a repetition is executed', async () => {
    const failed = await create('fails', '');
    expect([failed.status, failed.body.data, failed.body.errors[0].extensions.code]).toEqual([
      200,
      null,
      'VALIDATION_ERROR',
    ]);
    const fixed = await create('fails', 'fixed');
    expect([fixed.body.data.createWorkflow.name, replayed(fixed)]).toEqual(['fixed', null]);
  });

  it('the mutations of one document take effect together or not at all', async () => {
    const before = await total();
    const two = (second: string) => `mutation { a: createWorkflow(input: { name: "a" }) { id } b: ${second} }`;
    const failed = await send('together', { query: two('deleteWorkflow(id: "wf_gone")') });
    expect(failed.body.data).toBeNull();
    expect(failed.body.errors.map(({ path }: { path: string[] }) => path)).toEqual([['b']]);
    expect(await total()).toBe(before);
    const done = await send('together', { query: two('createWorkflow(input: { name: "b" }) { id }') });
    expect(Object.keys(done.body.data)).toEqual(['a', 'b']);
    expect(await total()).toBe(before + 2);
  });

  it('a mutation of one statement is undone as well', async () => {
    const { client: person } = await signedIn(server);
    const ask = async (query: string) => (await person.graphql(query)).body.data;
    const { createWorkflow: made } = await ask('mutation { createWorkflow(input: { name: "kept" }) { id } }');
    const { inviteUser: invited } = await ask('mutation { inviteUser(email: "guest@people.example") { id } }');
    const actions = '[{ name: "wait", kind: DELAY, config: { seconds: 1 } }]';
    const everything = `{ viewer { user { name } } invitations { items { id } }
      workflow(id: "${made.id as string}") { name status actions { name } } }`;
    const before = await ask(everything);
    for (const first of [
      `setWorkflowActions(workflowId: "${made.id as string}", actions: ${actions}) { id }`,
      `updateWorkflow(id: "${made.id as string}", input: { name: "changed" }) { id }`,
      `updateWorkflow(id: "${made.id as string}", input: { status: ACTIVE }) { id }`,
      'updateProfile(name: "Other") { id }',
      `revokeInvitation(id: "${invited.id as string}")`,
    ]) {
      const query = `mutation { first: ${first} second: deleteWorkflow(id: "wf_gone") }`;
      const { body } = await send(`undone-${first.replace(/\W/g, '-')}`, { query }, person);
      expect([first, body.errors.map(({ path }: { path: string[] }) => path)]).toEqual([first, [['second']]]);
    }
    expect(await ask(everything)).toEqual(before);
  });

  it('one that calls another service may stand first, and not behind another', async () => {
    const connect = `connectIntegration(input: { type: "sandbox_api_key", credentials: { api_key: "sandbox_valid_key" } }) { __typename }`;
    const make = 'createWorkflow(input: { name: "x" }) { name }';
    const first = await send('calls-first', { query: `mutation { a: ${connect} b: ${make} }` });
    expect(first.body).toEqual({ data: { a: { __typename: 'Integration' }, b: { name: 'x' } } });
    const before = await total();
    const behind = await send('calls-behind', { query: `mutation { a: ${make} b: ${connect} }` });
    expect(behind.body.errors[0]).toMatchObject({ path: ['b'], extensions: { code: 'CONFLICT' } });
    expect([behind.body.data, await total()]).toEqual([null, before]);
  });

  it('a test of an integration may stand first, and not behind a change', async () => {
    const connect = `mutation { connectIntegration(input: { type: "sandbox_api_key", credentials: { api_key: "sandbox_valid_key" } }) {
      ... on Integration { id } } }`;
    const { id } = (await client.graphql(connect)).body.data.connectIntegration;
    const [make, ask] = [
      'createWorkflow(input: { name: "x" }) { name }',
      `testIntegration(id: "${id as string}") { ok }`,
    ];
    const first = await send('tests-first', { query: `mutation { a: ${ask} b: ${ask} c: ${make} }` });
    expect(first.body).toEqual({ data: { a: { ok: true }, b: { ok: true }, c: { name: 'x' } } });
    const before = await total();
    const behind = await send('tests-behind', { query: `mutation { a: ${make} b: ${ask} }` });
    expect(behind.body.errors[0]).toMatchObject({ path: ['b'], extensions: { code: 'CONFLICT' } });
    expect([behind.body.data, await total()]).toEqual([null, before]);
  });

  it('one that searches many runs may stand first, and not behind a change', async () => {
    const make = 'createWorkflow(input: { name: "x" }) { name }';
    for (const name of ['retryRuns', 'cancelRuns']) {
      const ask = `${name}(errorCode: "timeout") { matched }`;
      const first = await send(`${name}-first`, { query: `mutation { a: ${ask} b: ${make} }` });
      expect(first.body).toEqual({ data: { a: { matched: 0 }, b: { name: 'x' } } });
      const before = await total();
      const behind = await send(`${name}-behind`, { query: `mutation { a: ${make} b: ${ask} }` });
      expect(behind.body.errors).toMatchObject([
        { path: ['b'], message: expect.stringContaining('first of its document'), extensions: { code: 'CONFLICT' } },
      ]);
      expect([behind.body.data, await total()]).toEqual([null, before]);
    }
  });

  it('of a query it has no effect, which Ignored-Fields says', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { status, headers } = await send('query', { query: '{ workflows { meta { total } } }' });
      expect([status, headers.get('ignored-fields'), headers.get('idempotent-replayed')]).toEqual([
        200,
        'Idempotency-Key',
        null,
      ]);
    }
    const both = 'query Q { workflows { meta { total } } } mutation M { createWorkflow(input: { name: "m" }) { id } }';
    const asked = await send('both', { query: both, operationName: 'Q' });
    expect(asked.headers.get('ignored-fields')).toBe('Idempotency-Key');
    const made = await send('both', { query: both, operationName: 'M' });
    expect(made.headers.get('ignored-fields')).toBeNull();
    expect(replayed(await send('both', { query: both, operationName: 'M' }))).toBe('true');
  });

  it('another account and REST have keys of their own', async () => {
    await create('shared', 's');
    const stranger = new Client(server.baseUrl, await server.key('read-write', 'stranger'));
    const theirs = await send('shared', { query: CREATE, variables: { name: 's' } }, stranger);
    expect([theirs.status, replayed(theirs)]).toEqual([200, null]);
    const call = { body: { name: 's' }, headers: { 'idempotency-key': 'shared' } };
    expect((await client.rest('POST', '/workflows', call)).status).toBe(201);
  });

  it('a person and the keys of the account have keys of their own', async () => {
    const { client: person } = await signedIn(server);
    const invite = { query: 'mutation { inviteUser(email: "new@people.example") { url } }' };
    const invited = await send('of-a-person', invite, person);
    expect(invited.body.data.inviteUser.url).toContain('/invitations/');
    expect(replayed(await send('of-a-person', invite, person))).toBe('true');
    const stolen = await send('of-a-person', invite);
    expect([stolen.body.data, stolen.body.errors[0].extensions.code, replayed(stolen)]).toEqual([
      null,
      'FORBIDDEN',
      null,
    ]);
    await create('of-a-key', 'k');
    const rotated = new Client(server.baseUrl, await server.key());
    const make = { query: CREATE, variables: { name: 'k' } };
    expect(replayed(await send('of-a-key', make, rotated))).toBe('true');
    expect(replayed(await send('of-a-key', make, person))).toBeNull();
  });

  it('a key of other characters is refused', async () => {
    const { status, body } = await create('with space', 'x');
    expect([status, body.errors[0].extensions]).toEqual([
      400,
      {
        code: 'VALIDATION_ERROR',
        details: [{ field: 'Idempotency-Key', message: expect.any(String) }],
        requestId: expect.any(String),
      },
    ]);
  });

  it('responses with an API key are never stored, as over REST', async () => {
    const { client: person } = await signedIn(server);
    const query = 'mutation { createApiKey(input: { label: "k", scope: READ_ONLY }) { secret } }';
    const [first, second] = [await send('api-key', { query }, person), await send('api-key', { query }, person)];
    expect([first.headers.get('ignored-fields'), replayed(second)]).toEqual(['Idempotency-Key', null]);
    expect(second.body.data.createApiKey.secret).not.toBe(first.body.data.createApiKey.secret);
    const unrepeatable = ROUTES.filter(({ repeatable }) => repeatable === false).map(({ operation }) => operation);
    expect([...UNREPEATABLE].sort()).toEqual(
      unrepeatable.map((name) => name.charAt(0).toLowerCase() + name.slice(1)).sort(),
    );
  });
});
