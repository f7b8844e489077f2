import { getIntrospectionQuery, Lexer, Source, TokenKind } from 'graphql';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { RawWebSocket } from './subscriptions/raw-websocket.js';
import { connectSandbox, type Heard, openStream, TRANSPORTS } from './transports.js';
import { cpuTime } from '../support/runner/cpu-time.js';

let server: TestServer;
let key: string;
let id: string;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  key = await server.key();
  id = await connectSandbox(server, key);
});
afterAll(() => server.close());

const repeated = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const CIRCLE = ['triggers(perPage: 1)', 'items', 'workflow'];

/** A chain of fields on Integration, so many levels deep. */
function chain(levels: number): string {
  const path = Array.from({ length: levels - 1 }, (_, index) => CIRCLE[index % 3]!);
  // `__typename` is no level.
  const leaf = path.at(-1) === CIRCLE[0] ? 'items { __typename }' : 'id';
  return `${path.map((field) => `${field} { `).join('')}${leaf}${' }'.repeat(path.length)}`;
}

const SCALARS = [
  'id',
  'type',
  'name',
  'status',
  'statusReason',
  'connectedAt',
  'expiresAt',
  'version',
  'reference',
  'scopes',
];

/** A selection of so many tokens. GraphQL's own validation gives up on a field that is named some hundred times. */
function tokens(count: number): string {
  const fields = Array.from(
    { length: Math.floor(count / 8) },
    (_, index) => `${SCALARS[index % 10]} @include(if: true)`,
  );
  return [...fields, ...Array.from({ length: count % 8 }, () => 'id')].join(' ');
}

describe.each(TRANSPORTS)('limits over $name', ({ ask, on, levels }) => {
  const heard = (query: string, variables: object = {}): Promise<Heard> =>
    ask(server, key, query, { id, ...variables });

  const expectTaken = (answer: Heard): void => {
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toBeTruthy();
  };
  const expectRefused = (
    { data, errors, status }: Heard,
    message: RegExp,
    code = 'GRAPHQL_VALIDATION_FAILED',
  ): void => {
    expect(data).toBeUndefined();
    expect(errors![0]).toMatchObject({ message: expect.stringMatching(message), extensions: { code } });
    expect([undefined, 400]).toContain(status);
  };

  it('1,000 tokens are taken, one more is refused', async () => {
    const padded = (count: number) => on(tokens(count - countTokens(on(''))));
    expect(countTokens(padded(1_000))).toBe(1_000);
    expectTaken(await heard(padded(1_000)));
    expectRefused(await heard(padded(1_001)), /token/i, 'GRAPHQL_PARSE_FAILED');
  });

  it('10 levels are taken, an eleventh is refused', async () => {
    expectTaken(await heard(on(chain(10 - levels))));
    expectRefused(await heard(on(chain(11 - levels))), /11 levels deep/);
  });

  it('levels in fragments count where they are spread', async () => {
    const spread = (inner: number) =>
      `${on('...F')} fragment F on Integration { ... on Integration { ${chain(inner)} } }`;
    expectTaken(await heard(spread(10 - levels)));
    expectRefused(await heard(spread(11 - levels)), /11 levels deep/);
  });

  it('15 aliases are taken, a sixteenth is refused', async () => {
    expectTaken(await heard(on(repeated(15, (index) => `a${index}: id`))));
    expectRefused(await heard(on(repeated(16, (index) => `a${index}: id`))), /16 aliases/);
  });

  it('aliases in fragments count each time they are spread', async () => {
    const spread = (more: string) =>
      `${on(`triggers { items { workflow { triggers { items { ...T } } } ...T } } ${more}`)} fragment T on Trigger { ${repeated(7, (index) => `a${index}: id`)} }`;
    expectTaken(await heard(spread('b: id')));
    expectRefused(await heard(spread('b: id c: id')), /16 aliases/);
  });

  describe('nodes', () => {
    const pages = (outer: string, inner: string) =>
      `triggers(perPage: ${outer}) { items { workflow { triggers(perPage: ${inner}) { items { id } } } } }`;

    const byDefault = (...aliases: string[]) =>
      aliases.map((alias) => `${alias}: ${pages('100', '100').replace('(perPage: 100)', '')}`).join(' ');

    it.each([
      ['written out', on(pages('100', '50')), {}, on(pages('100', '51')), {}],
      ['in variables', on(pages('100', '$n'), '$n: Int!'), { n: 50 }, on(pages('100', '$n'), '$n: Int!'), { n: 51 }],
      [
        'in defaults of variables',
        on(pages('100', '$n'), '$n: Int! = 50'),
        {},
        on(pages('100', '$n'), '$n: Int! = 51'),
        {},
      ],
      [
        'in defaults that a variable overrides',
        on(pages('100', '$n'), '$n: Int! = 51'),
        { n: 50 },
        on(pages('100', '$n'), '$n: Int! = 50'),
        { n: 51 },
      ],
      ['left out, then 20', on(byDefault('a', 'b')), {}, on(byDefault('a', 'b', 'c')), {}],
      [
        'as variables that are not given, then 20',
        on(pages('100', '$n'), '$n: Int'),
        {},
        on(pages('100', '$n'), '$n: Int = 51'),
        {},
      ],
      [
        'in fragments',
        `${on('...F')} fragment F on Integration { ${pages('100', '50')} }`,
        {},
        `${on('...F')} fragment F on Integration { ${pages('100', '51')} }`,
        {},
      ],
      [
        'beside each other',
        on(`${pages('100', '49')} history(perPage: 100) { items { version } }`),
        {},
        on(
          `${pages('100', '49')} history(perPage: 100) { items { version } } b: history(perPage: 1) { items { version } }`,
        ),
        {},
      ],
    ])('%s: 5,000 are taken, more are refused', async (_where, taken, with1, refused, with2) => {
      expectTaken(await heard(taken, with1));
      expectRefused(await heard(refused, with2), /nodes; at most 5000/);
    });

    it.each([
      ['a page size that is huge', '2147483647', {}],
      ['a huge variable', '$n', { n: 2_147_483_647 }],
      ['a variable out of range', '$n', { n: 1e300 }],
      ['a negative page size, which counts as the largest', '-1', {}],
      ['a negative variable, which counts as the largest', '$n', { n: -1 }],
      ['a variable that is a text, which counts as the largest', '$n', { n: '1' }],
    ])('refuses %s', async (_what, size, variables) => {
      const query = on(pages('100', size), size === '$n' ? '$n: Int!' : '');
      expectRefused(await heard(query, variables), /nodes; at most 5000/);
    });

    it('counts fragments of fragments where they are spread, without a walk to each place', async () => {
      // 2^40 pages of one, if each spread were walked.
      const bomb = Array.from(
        { length: 40 },
        (_, index) => `fragment F${index} on Integration { ...F${index + 1} ...F${index + 1} }`,
      ).join(' ');
      const query = `${on('...F0')} ${bomb} fragment F40 on Integration { history(perPage: 1) { items { version } } }`;
      expectRefused(await heard(query), /selections where its fragments are spread; at most 10000/);
    });
  });

  it('fragments that go in circles are refused', async () => {
    expectRefused(
      await heard(`${on('...A')} fragment A on Integration { ...B } fragment B on Integration { ...A }`),
      /itself/,
    );
  });

  it('variables of 201 levels, with the request, are refused', async () => {
    const value = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expectTaken(await heard(on('id'), { x: value(198) }));
    const { errors } = await heard(on('id'), { x: value(199) });
    expect(errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
  });

  it('refuses a large hostile document quickly', async () => {
    const hostile = [
      on(repeated(900, () => 'id')),
      on(repeated(450, (index) => `f${index} { x }`)),
      `${on(repeated(100, (index) => `...F${index}`))} ${repeated(100, (index) => `fragment F${index} on Integration { id type }`)}`,
      `${on('x')} ${' '.repeat(80_000)}`,
      on(`history(page: ${'9'.repeat(80_000)}) { items { id } }`),
      on('['.repeat(500)),
      `# ${'x'.repeat(90_000)}\\n${on('nope')}`,
    ];
    const simple = await cpuTime(() => heard(on('id')));
    for (const query of hostile) expect(await cpuTime(() => heard(query))).toBeLessThan(simple * 20 + 500);
  });
});

describe('limits over HTTP alone', () => {
  it('10 root fields are taken, an eleventh is refused', async () => {
    const client = new Client(server.baseUrl, key);
    const roots = (count: number) => `{ ${repeated(count, (index) => `a${index}: __typename`)} }`;
    expect((await client.graphql(roots(10))).body.errors).toBeUndefined();
    const { status, body } = await client.graphql(roots(11));
    expect([status, body.errors![0].message]).toEqual([400, expect.stringMatching(/11 root fields/)]);
    const spread = await client.graphql(
      `{ ...F b: __typename } fragment F on Query { ${repeated(10, (index) => `a${index}: __typename`)} }`,
    );
    expect(spread.body.errors![0].message).toMatch(/11 root fields/);
  });

  it('every operation of a document is counted, not only the requested one', async () => {
    const query = `query A { __typename } query B { ${repeated(11, (index) => `a${index}: __typename`)} }`;
    const { status } = await new Client(server.baseUrl, key).send('POST', '/graphql', {
      body: { query, operationName: 'A' },
    });
    expect(status).toBe(400);
  });

  it.each([
    {},
    {
      inputValueDeprecation: true,
      specifiedByUrl: true,
      schemaDescription: true,
      directiveIsRepeatable: true,
      oneOf: true,
    },
  ])('the standard introspection query passes with %j', async (options) => {
    const { status, body } = await new Client(server.baseUrl, key).graphql(getIntrospectionQuery(options));
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body.data.__schema.types.length).toBeGreaterThan(30);
  });

  it('introspection that goes in circles is refused', async () => {
    const { status } = await new Client(server.baseUrl, key).graphql(
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    );
    expect(status).toBe(400);
  });
});

describe('sizes and batches on event streams and sockets', () => {
  const bytes = (start: string, end: string, size: number) =>
    start + ' '.repeat(size - start.length - end.length) + end;

  it('an event stream takes 102,400 bytes and refuses one more with 413', async () => {
    const query = 'subscription { integrationStatusChanged { id } }';
    const taken = await openStream(server, key, bytes(`{"query":"${query}`, '"}', 102_400));
    expect(taken.status).toBe(200);
    await taken.body!.cancel();
    const refused = await openStream(server, key, bytes(`{"query":"${query}`, '"}', 102_401));
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      { errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] },
    ]);
  });

  it('a socket takes 102,400 bytes and is closed with 1009 for one more', async () => {
    const message = (size: number) =>
      bytes(
        `{"id":"1","type":"subscribe","payload":{"query":"subscription { integrationStatusChanged(integrationId: \\"${id}\\") { id } }`,
        '"}}',
        size,
      );
    const socket = await RawWebSocket.open(server.ws(), key);
    socket.send(message(102_400));
    expect((await socket.message(({ id: of }) => of === '1')).type).toBe('next');
    socket.send(message(102_401));
    expect((await socket.closed).code).toBe(1009);
  });

  it('an event stream refuses a batch with 400, a socket closes with 4400', async () => {
    const operation = { query: 'subscription { integrationStatusChanged { id } }' };
    const refused = await openStream(server, key, [operation]);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { errors: [{ extensions: { code: 'BAD_REQUEST' } }] },
    ]);
    const socket = await RawWebSocket.open(server.ws(), key);
    socket.send([{ id: '1', type: 'subscribe', payload: operation }]);
    expect((await socket.closed).code).toBe(4400);
  });

  it.each(TRANSPORTS.filter(({ name }) => name !== 'HTTP'))('$name refuses queries and mutations', async ({ ask }) => {
    for (const query of ['{ __typename }', 'mutation { deleteWorkflow(id: "wf_x") }']) {
      const { errors, status } = await ask(server, key, query);
      expect(errors![0]!.extensions.code).toBe('BAD_REQUEST');
      expect([undefined, 400]).toContain(status);
    }
  });

  it.each(TRANSPORTS.filter(({ name }) => name !== 'HTTP'))('$name refuses two root fields', async ({ ask }) => {
    const { errors } = await ask(
      server,
      key,
      'subscription { a: integrationStatusChanged { id } b: integrationStatusChanged { id } }',
    );
    expect(errors![0]!.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

function countTokens(query: string): number {
  const lexer = new Lexer(new Source(query));
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  return count;
}
