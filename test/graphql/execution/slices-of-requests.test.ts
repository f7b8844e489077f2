import { Answer } from '../../../src/platform/admission/answers.js';
import { Slices } from '../../../src/platform/graphql/slices.js';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
  for (const name of ['a', 'b']) await client.graphql(`mutation { createWorkflow(input: { name: "${name}" }) { id } }`);
});
afterAll(() => server.close());

/** Notes the arguments of each call of a method. */
function watched(target: object, name: string): unknown[][] {
  const methods = target as Record<string, (...given: unknown[]) => unknown>;
  const method = methods[name]!;
  const calls: unknown[][] = [];
  methods[name] = function (this: unknown, ...given) {
    calls.push(given);
    return method.apply(this, given);
  };
  restored.push(() => (methods[name] = method));
  return calls;
}
const restored: (() => void)[] = [];
afterEach(() => restored.splice(0).forEach((restore) => restore()));

const runs = (perPage: number) => `runs(perPage: ${perPage}) { items { workflow { id } } }`;
const workflows = (perPage: number) => `{ workflows(perPage: ${perPage}) { items { name ${runs(10)} } } }`;

describe('a request for more than 1,000 values', () => {
  it('is executed in slices, and has memory reserved for them; a shorter one is neither', async () => {
    const handed = watched(Slices.prototype, 'of');
    const reserved = watched(Answer.prototype, 'reserve');
    const short = await client.graphql(workflows(30));
    expect(short.body.errors).toBeUndefined();
    expect([handed.length, reserved.length]).toEqual([0, 0]);
    const long = await client.graphql(workflows(35));
    expect(long.body).toEqual(short.body);
    expect(long.body.data!.workflows.items.map(({ name }: { name: string }) => name).sort()).toEqual(['a', 'b']);
    expect(handed.length).toBeGreaterThan(4);
    expect(reserved).toEqual([[(1 + 35 * (2 + 1 + 10 * 3)) * 250]]);
  });

  it('is none over REST, whose compiled documents take no promises in lists', async () => {
    const handed = watched(Slices.prototype, 'of');
    const { status, body } = await client.rest('GET', '/workflows?per_page=100');
    expect([status, body.data.length]).toEqual([200, 2]);
    expect(handed).toEqual([]);
  });

  it('is the introspection too, which has its usual result', async () => {
    const handed = watched(Slices.prototype, 'of');
    const query = '{ __schema { types { name fields { name type { name ofType { name } } args { name } } } } }';
    const { body } = await client.graphql(query);
    expect(body.data!.__schema.types.some(({ name }: { name: string }) => name === 'Workflow')).toBe(true);
    expect(handed.length).toBeGreaterThan(1_000);
  });

  it('ends with its response, also if an error has made it null', async () => {
    const stopped = watched(Slices.prototype, 'stop');
    const failing = `{ workflows(perPage: 40) { items { bad: runs(after: "x") { items { id } } ${runs(30)} } } }`;
    const { body } = await client.graphql(failing);
    expect(body.errors).toHaveLength(1);
    expect(stopped).toHaveLength(1);
  });
});
