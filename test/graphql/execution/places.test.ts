import { type FieldNode, GraphQLError, Kind, visit } from 'graphql';
import { Documents, isKnown } from '../../../src/transports/graphql/documents/documents.js';
import { formatError, leaveOutErrors, MAX_ERRORS } from '../../../src/transports/graphql/errors.js';
import { buildGatewaySchema } from '../../../src/transports/graphql/schema.js';
import { wiredFeatures } from '../../../scripts/emit/wiring.js';

const BREAKS = 48_000;

describe('the place of an error', () => {
  it('is known without a search through the line breaks before it', async () => {
    const documents = new Documents(buildGatewaySchema((await wiredFeatures()).resolvers));
    const read = documents.read(
      'acc',
      `{${'\n'.repeat(BREAKS)} a: node(id: "x") { id }\r\n b: node(id: "y") { id } }`,
      {},
      undefined,
    );
    if (!isKnown(read)) throw read[0]!;
    const fields: FieldNode[] = [];
    visit(read.document, {
      enter: (node) => {
        expect(node.loc).toBeUndefined();
        if (node.kind === Kind.FIELD && node.alias !== undefined) fields.push(node);
      },
    });
    const error = new GraphQLError('no such node', { nodes: fields, path: ['a', 0] });
    expect(error.locations).toBeUndefined();
    expect(formatError(error, {})).toMatchObject({
      path: ['a', 0],
      locations: [
        { line: BREAKS + 1, column: 2 },
        { line: BREAKS + 2, column: 2 },
      ],
    });
  });
});

describe('errors of one response', () => {
  const errors = (count: number) =>
    Array.from({ length: count }, (_, index) => new GraphQLError('no', { path: [index] }));

  it('are 1,000 at most; one more says how many are left out', () => {
    expect(MAX_ERRORS).toBe(1_000);
    const few = errors(1_000);
    leaveOutErrors(few);
    expect(few).toHaveLength(1_000);
    const many = errors(1_500);
    leaveOutErrors(many);
    expect(many).toHaveLength(1_001);
    expect(many.slice(0, 1_000).every(({ path }, index) => path![0] === index)).toBe(true);
    expect(many[1_000]).toMatchObject({
      message: expect.stringContaining('500 more errors'),
      extensions: { code: 'ANSWER_TOO_LARGE' },
    });
  });
});
