import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  executeSync,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  parse,
} from 'graphql';
import { MAX_TRIES } from '../../../src/features/webhooks/deliveries/webhook-delivery.entity.js';
import { DELAYS_MS } from '../../../src/features/webhooks/sending/retry-schedule.js';
import { packageRoot } from '../../../src/platform/package-root.js';
import { type Variables } from '../../../src/transports/graphql/documents/amount.js';
import { measure, valuesIn, weightIn } from '../../../src/transports/graphql/documents/document-facts.js';
import { limitFault } from '../../../src/transports/graphql/documents/limits.js';
import { buildGatewaySchema } from '../../../src/transports/graphql/schema.js';
import { wiredFeatures } from '../../../scripts/emit/wiring.js';

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = buildGatewaySchema((await wiredFeatures()).resolvers);
});

const weightOf = (query: string, variables: Variables = {}): number =>
  weightIn(measure(schema, parse(query)).operations[0]!, variables);
const faultOf = (query: string, variables: Variables = {}): string | undefined =>
  limitFault(measure(schema, parse(query)), variables)?.message;

/** An ordinary page, which the bucket of a key (200) must bear many times. */
const MOST_OF_A_PAGE = 20;
const SIZES = new Set(['perPage', 'first', 'last', 'ids', 'limit']);

type Field = GraphQLField<unknown, unknown>;

function allFields(): [type: string, field: Field][] {
  return Object.values(schema.getTypeMap())
    .filter((type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values((type as { getFields(): Record<string, Field> }).getFields()).map((field): [string, Field] => [
        type.name,
        field,
      ]),
    );
}

const isSized = ({ args, extensions }: Field): boolean =>
  args.some(({ name }) => SIZES.has(name)) || (extensions.cost as { items?: unknown } | undefined)?.items !== undefined;

describe('each list of objects', () => {
  it('has a page size, or declares how many items it can have', () => {
    const fields = allFields();
    const open = fields.filter(([type, field]) => {
      if (!isListType(getNullableType(field.type)) || !isCompositeType(getNamedType(field.type))) return false;
      if (isSized(field)) return false;
      // The items of a page: every field that returns the page has its size.
      const pages = fields.filter(([, { type: of }]) => getNamedType(of).name === type);
      return pages.length === 0 || !pages.every(([, page]) => isSized(page));
    });
    expect(open.map(([type, { name }]) => `${type}.${name}`)).toEqual([]);
  });

  it.each([
    ['the actions of a workflow', '{ workflows(perPage: 100) { items { actions { kind } } } }', 50],
    ['the actions of a run', '{ runs(perPage: 100) { items { actions { kind } } } }', 50],
    ['the steps of a run', '{ runs(perPage: 100) { items { steps { name } } } }', 50],
    ['one step of a run', '{ runs(perPage: 100) { items { steps(index: 0) { name } } } }', 1],
    ['the parts of a log', '{ events(limit: 100) { id } }', 1],
  ])('counts with them: %s', (_what, query, weight) => expect(weightOf(query)).toBe(weight));

  it('counts as many tries as a delivery can have', () => expect(MAX_TRIES).toBe(DELAYS_MS.length));

  it('counts each time it is asked for under another name', () => {
    const query = '{ runs(perPage: 100) { items { a: actions { kind } b: actions { kind } } } }';
    expect(weightOf(query)).toBe(100);
    expect(faultOf(query)).toBeUndefined();
    const fifth = query.replace('}', '} c: steps { name } d: steps { name } e: steps { name }');
    expect(faultOf(fifth)).toMatch(/up to 25000 objects.*at most 20000/);
  });
});

describe('a field that is computed', () => {
  const triggers = (fields: string, perPage = 100) => `{ triggers(perPage: ${perPage}) { items { ${fields} } } }`;

  it.each([
    ['one time', 'nextFireAt', 3],
    ['words', 'scheduleInWords', 3],
    ['a tag', 'etag', 3],
    ['all three', 'nextFireAt scheduleInWords etag', 7],
    ['one time under three names', 'nextFireAt a: nextFireAt b: nextFireAt', 7],
    ['nothing', 'id name config', 1],
  ])('adds to the weight of each node of a trigger: %s', (_what, fields, weight) => {
    expect(weightOf(triggers(fields))).toBe(weight);
    expect(weightOf(`{ trigger(id: "x") { ${fields} } }`)).toBe(1);
  });

  it('counts on all nodes of lists in lists', () => {
    const names = Array.from({ length: 15 }, (_, index) => `a${index}: nextFireAt`).join(' ');
    const query = `{ workflows(perPage: 10) { items { triggers(perPage: 100) { items { ${names} nextFireAt } } } } }`;
    expect(weightOf(query)).toBe(16 + (1_000 * 16) / 50);
  });

  it('weighs by the times that a preview asks for', () => {
    const preview = (name: string, count: string) => `${name}: cronPreview(cron: "0 0 29 2 */7"${count}) { next }`;
    expect(weightOf(`{ ${preview('a', '')} }`)).toBe(1 + 5);
    expect(weightOf(`{ ${preview('a', ', count: 10')} }`)).toBe(1 + 10);
    expect(weightOf(`query ($n: Int!) { ${preview('a', ', count: $n')} }`, { n: 7 })).toBe(1 + 7);
    expect(weightOf(`query ($n: Int!) { ${preview('a', ', count: $n')} }`, { n: 1e300 })).toBe(1 + 10);
  });

  it('weighs on each workflow whose runs are counted, with all of its buckets', () => {
    const period = (days: number) =>
      `from: "2026-01-01T00:00:00Z", to: "${new Date(Date.UTC(2026, 0, 1 + days)).toISOString()}"`;
    const statistics = (name: string, days: number) => `${name}: runStatistics(${period(days)}) { buckets { total } }`;
    expect(weightOf(`{ ${statistics('a', 29)} }`)).toBe(1 + 9);
    expect(weightOf(`{ ${statistics('a', 399)} }`)).toBe(4 + 9);
    expect(weightOf('{ runStatistics(from: "nonsense") { sum { total } } }')).toBe(4 + 9);
    const ofWorkflows = (inner: string) => `{ workflows(perPage: 100) { items { ${inner} } } }`;
    expect(weightOf(ofWorkflows(statistics('a', 14)))).toBe(15 + 9 + 25);
    expect(weightOf(ofWorkflows(`${statistics('a', 14)} ${statistics('b', 14)}`))).toBe(30 + 18 + 50);
    expect(faultOf(ofWorkflows(statistics('a', 199)))).toBeUndefined();
    expect(faultOf(ofWorkflows(statistics('a', 200)))).toMatch(/up to 20100 objects/);
  });

  it('weighs on each workflow whose actions are decrypted to tell whether they can be', () => {
    expect(weightOf('{ workflow(id: "x") { actionsUnreadable } }')).toBe(1);
    expect(weightOf('{ workflows(perPage: 100) { items { actionsUnreadable } } }')).toBe(1 + 5);
  });

  it('weighs on each step whose input is rendered', () => {
    expect(weightOf('{ run(id: "x") { steps { input } } }')).toBe(1 + 2);
    expect(weightOf('{ runs(perPage: 15) { items { steps { input } } } }')).toBe(8 + 37);
  });

  it('weighs a far page on each node of its parent', () => {
    const far = 'runs(page: 102, perPage: 100) { items { id } }';
    expect(weightOf(`{ ${far} }`)).toBe(1 + 9);
    expect(weightOf(`{ workflows(perPage: 20) { items { ${far} } } }`)).toBe(20 + 180);
  });
});

describe('links to one object', () => {
  const names = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => text(index)).join(' ');
  const hostile = (perPage: number) => `{ runs(perPage: 100) { items { workflow { runs(perPage: ${perPage}) { items {
    ${names(15, (index) => `a${index}: workflow { ...C }`)} } } } } } }
    fragment C on Workflow { id name lastRun { id status workflow { id name lastRun { id } } } }`;

  it('count with all fields that they lead to, on each object of the lists around them', () => {
    const values = (query: string) => valuesIn(measure(schema, parse(query)).operations[0]!, {});
    expect(values('{ run(id: "x") { id workflow { id name } } }')).toBe(5);
    expect(values('{ runs(perPage: 7) { items { id workflow { id name } } } }')).toBe(1 + 7 * 5);
    expect(values('{ runs(perPage: 7) { items { ...R } } } fragment R on Run { id workflow { id } }')).toBe(1 + 7 * 4);
    expect(values('{ workflows(perPage: 2) { items { actions { kind } } } }')).toBe(1 + 2 * (1 + 1 + 50));
  });

  it('are refused where they lead to more than 100,000 values', () => {
    expect(faultOf(hostile(1))).toBeUndefined();
    expect(faultOf(hostile(49))).toMatch(/asks for up to \d+ values.*at most 100000/);
  });

  it('are 100,000 values at most with all others, and not one more', () => {
    const scalars =
      'id attempt createdAt finishedAt inputOmitted isTest resumesAt retryOf scheduledFor startedAt status statusReason triggerId';
    const inner = `runs(perPage: 84) { items { ${scalars} ${names(15, (index) => `a${index}: id`)} } }`;
    const document = (more: string) => `{ runs(perPage: 41) { items { workflow { ${inner} } } } ${more} }`;
    expect(valuesIn(measure(schema, parse(document(''))).operations[0]!, {})).toBe(100_000);
    expect(faultOf(document(''))).toBeUndefined();
    expect(faultOf(document('__typename'))).toMatch(/100001 values/);
  });

  it('weigh one for each 1,000 values beyond the first', () => {
    const fields = names(15, (index) => `a${index}: status`);
    expect(weightOf(`{ runs(perPage: 100) { items { ${fields} } } }`)).toBe(1);
    expect(
      weightOf(`{ runs(perPage: 100) { items { ${fields} workflow { id name status etag description } } } }`),
    ).toBe(1);
    expect(weightOf(hostile(1))).toBe(15);
  });

  it('are no reason to refuse an introspection', () => {
    const query = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, schemaDescription: true });
    expect(faultOf(query)).toBeUndefined();
    expect(weightOf(query)).toBeLessThan(70);
  });

  it.each([
    '{ __type(name: "Query") { fields { args { name description type { kind ofType { kind name ofType { name } } } } } } }',
    '{ __type(name: "CreateTriggerInput") { a: inputFields { name } b: inputFields { type { name } } } }',
    '{ __schema { mutationType { fields { name args { name defaultValue } } } } }',
    '{ __type(name: "Node") { possibleTypes { name interfaces { name } } } }',
    '{ __type(name: "Action") { ...T } __schema { types { ...T } } } fragment T on __Type { fields { name args { name } } }',
  ])('count at least the values of %s', (document) => {
    const { data } = executeSync({ schema, document: parse(document) });
    expect(valuesIn(measure(schema, parse(document)).operations[0]!, {})).toBeGreaterThanOrEqual(countOf(data));
  });
});

/** The fields of all objects below a value. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countOf(item), 0);
  return Object.values(value).reduce<number>((sum, inner) => sum + 1 + countOf(inner), 0);
}

describe('ordinary documents', () => {
  const filesBelow = (folder: string): string[] =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.graphql'))
      .map((name) => join(folder, name));
  const textOf = (file: string) => readFileSync(join(packageRoot, file), 'utf8');
  const blocks = (file: string) => [...textOf(file).matchAll(/```graphql\n([^]*?)```/g)].map(([, text]) => text!);

  /** Reads as the dashboard and clients send them: 20 items of every list that has a page size. */
  const OF_A_PAGE = {
    page: 1,
    perPage: 20,
    ids: Array.from({ length: 20 }, () => 'x'),
    from: new Date(Date.now() - 14 * 86_400_000).toISOString(),
    bucket: 'DAY',
  };

  function demand(name: string, text: string, given: Variables): void {
    const document = parse(text);
    const shared = filesBelow('src/dashboard')
      .map(textOf)
      .map((one) => parse(one));
    const fragments = shared
      .flatMap(({ definitions }) => definitions)
      .filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    for (const operation of operations) {
      const facts = measure(schema, { ...document, definitions: [operation, ...fragments] });
      expect([name, limitFault(facts, given)]).toEqual([name, undefined]);
      const weight = weightIn(facts.operations[0]!, given);
      expect([name, weight <= MOST_OF_A_PAGE ? 'little' : weight]).toEqual([name, 'little']);
    }
  }

  it.each(filesBelow('src/dashboard'))('weigh little: %s', (file) => demand(file, textOf(file), OF_A_PAGE));

  it.each(filesBelow('schema/rest'))('weigh little with 100 items: %s', (file) =>
    demand(file, textOf(file).replaceAll(/@(?:omit|etag|monitor)\w*(?:\([^)]*\))?/g, ''), {
      per_page: 100,
      limit: 100,
    }),
  );

  it('weigh little: those of the documentation', () => {
    const files = [
      'README.md',
      ...readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) =>
        join('docs', name),
      ),
    ];
    for (const file of files.filter((name) => name.endsWith('.md')))
      for (const text of blocks(file))
        if (/^\s*(?:query|mutation|subscription|\{)/.test(text)) demand(file, text, OF_A_PAGE);
  });
});
