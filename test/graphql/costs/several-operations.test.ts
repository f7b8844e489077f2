import { type GraphQLSchema, parse } from 'graphql';
import { measure } from '../../../src/transports/graphql/documents/document-facts.js';
import { limitFault } from '../../../src/transports/graphql/documents/limits.js';
import { buildGatewaySchema } from '../../../src/transports/graphql/schema.js';
import { wiredFeatures } from '../../../scripts/emit/wiring.js';

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = buildGatewaySchema((await wiredFeatures()).resolvers);
});

const repeated = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const faultOf = (document: string, given: object, name?: string) =>
  limitFault(measure(schema, parse(document)), given as Record<string, unknown>, name)?.message;

/** Values of variables that count how often they are looked at. */
function watched(values: Record<string, unknown>): { given: object; looks: () => number } {
  let looks = 0;
  const given = new Proxy(values, {
    get: (target, name: string) => ((looks += 1), target[name]),
    getOwnPropertyDescriptor: (target, name) => ((looks += 1), Object.getOwnPropertyDescriptor(target, name)),
    ownKeys: (target) => ((looks += 1), Reflect.ownKeys(target)),
  });
  return { given, looks: () => looks };
}

describe('a document of 90 operations', () => {
  const operation = (index: number) => `query q${index}($ids: [ID!]!) { nodes(ids: $ids) { id } }`;
  const many = repeated(90, operation);

  it('has the variables of the one that is executed looked at, and no others', () => {
    const others = Object.fromEntries(Array.from({ length: 9_500 }, (_, index) => [`v${index}`, 0]));
    const { given, looks } = watched({ ...others, ids: ['x'] });
    expect(faultOf(many, given, 'q0')).toBeUndefined();
    expect(looks()).toBeLessThan(10);
  });

  it('is within the limits of variables if the executed one is', () => {
    const large = `query large($n: Int! = 51) { workflows(perPage: 100) { items { runs(perPage: $n) { items { id } } } } }`;
    expect(faultOf(`${operation(0)} ${large}`, { ids: [] }, 'q0')).toBeUndefined();
    expect(faultOf(`${operation(0)} ${large}`, { ids: [] }, 'large')).toMatch(/5100 nodes/);
    expect(faultOf(large, {})).toMatch(/5100 nodes/);
  });

  it('may have 10,000 selections in all of them, where their fragments are spread', () => {
    const levels = repeated(9, (level) => `fragment F${level} on Run { ...F${level + 1} ...F${level + 1} }`);
    const document = (count: number) =>
      `${repeated(count, (index) => `query r${index} { run(id: "x") { ...F0 } }`)} ${levels} fragment F9 on Run { id }`;
    const each = 2 + 2 * (2 ** 9 - 1) + 2 ** 9;
    const most = Math.floor(10_000 / each);
    expect(faultOf(document(most), {}, 'r0')).toBeUndefined();
    expect(faultOf(document(most + 1), {}, 'r0')).toContain(`${(most + 1) * each} selections`);
  });
});
