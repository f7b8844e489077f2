import { buildSchema, parse } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';

type Result = Promise<unknown> | AsyncGenerator;
interface BrowserModule {
  authorizationOf: (headers: unknown) => string | undefined;
  createFetcher: (
    endpoint: URL,
    options?: { signedIn: boolean },
  ) => (
    params: { query: string; operationName?: string },
    options: { headers?: object; documentAST?: unknown },
  ) => Result;
}

// The browser's own files are plain JavaScript: the path in a variable keeps the compiler from looking for their types.
const file = '../../src/transports/developers/browser/fetcher.js';
const { authorizationOf, createFetcher } = (await import(file)) as BrowserModule;

const KEY = 'Bearer wfk_0123456789abcdefghij';
const query = 'query Q { a } subscription S { a }';
const documentAST = parse(query);

let server: Server;
let endpoint: URL;
const posts: IncomingHttpHeaders[] = [];
const bodies: string[] = [];
const inits: unknown[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    posts.push(req.headers);
    void text(req).then((body) => {
      bodies.push(body);
      res.setHeader('Content-Type', 'application/json').end('{"data":{"a":"posted"}}');
    });
  });
  const sockets = new WebSocketServer({ server, path: '/graphql' });
  useServer(
    {
      schema: buildSchema('type Query { a: String } type Subscription { a: String }'),
      onConnect: ({ connectionParams }) => void inits.push(connectionParams),
      roots: {
        subscription: {
          a: async function* () {
            yield { a: 'one' };
            yield { a: 'two' };
          },
        },
      },
    },
    sockets,
  );
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`);
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

async function all(result: Result): Promise<unknown[]> {
  const values = [];
  for await (const value of result as AsyncGenerator) values.push(value);
  return values;
}

describe("GraphiQL's fetcher", () => {
  it('sends the key as a header with a query, beside the other headers', async () => {
    const options = { headers: { Authorization: KEY, 'X-Request-Id': 'r1' }, documentAST };
    const result = await createFetcher(endpoint)({ query, operationName: 'Q' }, options);
    expect(result).toEqual({ data: { a: 'posted' } });
    expect(posts.at(-1)).toMatchObject({
      authorization: KEY,
      'x-request-id': 'r1',
      'content-type': 'application/json',
    });
  });

  it('sends the key as connection_init payload with a subscription, and gives each event', async () => {
    const result = createFetcher(endpoint)(
      { query, operationName: 'S' },
      { headers: { Authorization: KEY }, documentAST },
    );
    expect(await all(result)).toEqual([{ data: { a: 'one' } }, { data: { a: 'two' } }]);
    expect(inits.at(-1)).toEqual({ authorization: KEY });
  });

  it('sends the chosen operation alone, with its fragments', async () => {
    const several = `query Q { ...F } mutation M { b } fragment F on Query { a }`;
    const options = { documentAST: parse(several) };
    await createFetcher(endpoint)({ query: several, operationName: 'Q' }, options);
    const sent = JSON.parse(bodies.at(-1)!);
    expect(sent).toMatchObject({ operationName: 'Q', query: expect.stringContaining('fragment F on Query') });
    expect(sent.query).not.toContain('mutation');
  });

  it('uses the last key in a tab that still has the placeholder', async () => {
    const fetcher = createFetcher(endpoint);
    await fetcher({ query, operationName: 'Q' }, { headers: { Authorization: KEY }, documentAST });
    await all(fetcher({ query, operationName: 'S' }, { headers: { Authorization: 'Bearer wfk_...' }, documentAST }));
    expect(inits.at(-1)).toEqual({ authorization: KEY });
  });

  it('leaves who is signed in to the cookie in a tab without a key', async () => {
    const fetcher = createFetcher(endpoint, { signedIn: true });
    await fetcher({ query, operationName: 'Q' }, { headers: { Authorization: KEY }, documentAST });
    expect(posts.at(-1)).toMatchObject({ authorization: KEY });
    await fetcher({ query, operationName: 'Q' }, { documentAST });
    expect(posts.at(-1)).not.toHaveProperty('authorization');
    await all(fetcher({ query, operationName: 'S' }, { documentAST }));
    expect(inits.at(-1)).toEqual({});
  });

  it('sends no placeholder', async () => {
    await createFetcher(endpoint)({ query, operationName: 'Q' }, { headers: { Authorization: 'Bearer wfk_...' } });
    expect(posts.at(-1)).not.toHaveProperty('authorization');
  });
});

describe('authorizationOf', () => {
  it('reads the text of the headers editor, in any case', () => {
    expect(authorizationOf(`{"authorization": "${KEY}"}`)).toBe(KEY);
  });

  it.each(['', 'null', '{', '[]', '{"Authorization": 5}', '{"Authorization": "Bearer wfk_..."}'])(
    'finds none in %s',
    (text) => {
      expect(authorizationOf(text)).toBeUndefined();
    },
  );
});
