import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const MOST = 1_048_576;

describe('the bytes of variables, counted wherever one is used', () => {
  let server: TestServer;
  let client: Client;
  let id: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
    id = (await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } })).body.id as string;
  });
  afterAll(() => server.close());

  /** A literal of JSON that names `$v` so often. */
  const asked = (uses: number, text = ''): string =>
    `mutation ($v: JSON, $id: ID!) { testWorkflow(workflowId: $id, input: [${'$v '.repeat(uses)} "${text}"]) { id } }`;
  const ask = async (query: string, v: unknown): Promise<string> => {
    const { body } = await client.graphql(query, { v, id });
    return (body.errors?.[0] as { message: string } | undefined)?.message ?? '';
  };
  /** A variable of so many bytes as JSON. */
  const bytes = (count: number): object => ['x'.repeat(count - 4)];

  it('are 1,048,576 at most, whatever a request itself has', async () => {
    const rest = MOST - id.length;
    const large = Math.floor(rest / 16);
    expect(await ask(asked(16), bytes(large))).not.toMatch(/variables have/);
    expect(await ask(asked(16), bytes(large + 1))).toBe(
      `The variables have ${16 * (large + 1) + id.length} bytes, counted wherever one is used; at most ${MOST} are allowed.`,
    );
  });

  it('let no document of 1,000 tokens create 13 million values from 30,000', async () => {
    const v = Array.from({ length: 30_000 }, () => ({}));
    expect(await ask(asked(450), v)).toMatch(/^The variables have 40\d{6} bytes/);
  });

  it('count where a fragment is spread, and in the default of a variable', async () => {
    const values = JSON.stringify('x'.repeat(60_000));
    const query = `query ($s: String = ${values}) { ${Array.from({ length: 9 }, (_, n) => `a${n}: workflow(id: "x") { ...W }`).join(' ')} }
      fragment W on Workflow { runs { items { ...R } } } fragment R on Run { workflow { triggers @include(if: $s) @skip(if: $s) { items { id } } } }`;
    const { body } = await client.graphql(query);
    expect((body.errors![0] as { message: string }).message).toMatch(/^The variables have 1080000 bytes/);
  });

  it('leave a variable as often as tokens allow where it is small', async () => {
    const { body } = await client.graphql(asked(450), { v: 1, id });
    expect(body.errors).toBeUndefined();
  });
});

describe('JSON with variables in it', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  it.each([
    [200, ''],
    [201, 'Argument "input" has invalid value'],
  ])('is nested 200 levels deep at most: %i', async (levels, refusal) => {
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    let v: unknown = 1;
    for (let level = 0; level < 150; level += 1) v = [v];
    const literal = `${'['.repeat(levels - 150)}$v${']'.repeat(levels - 150)}`;
    const query = `mutation ($v: JSON, $id: ID!) { testWorkflow(workflowId: $id, input: ${literal}) { id } }`;
    const { body } = await client.graphql(query, { v, id: workflow.id as string });
    const { message = '' } = (body.errors?.[0] ?? {}) as { message?: string };
    expect(message.split(' [', 1)).toEqual([refusal]);
  });
});
