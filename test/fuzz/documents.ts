import fc, { type Arbitrary } from 'fast-check';
import { buildSchema } from 'graphql';

/** Types that lie in each other, share an interface and differ where they must not be mixed. */
export const SCHEMA = buildSchema(`
  interface Named { id: ID! name: String! inner(first: Int = 20): [Named!]! }
  type A implements Named { id: ID! name: String! inner(first: Int = 20): [Named!]! own: A b: B size: Int! text(a: Int, b: [Int]): String }
  type B implements Named { id: ID! name: String! inner(first: Int = 20): [Named!]! own: B b: B size: String text(a: Int, b: [Int]): String }
  union Either = A | B
  type Query { a: A b: B named: Named either: Either }
  type Mutation { a: A b: B }
`);

/** The fields of each type that random documents select; those with a type of their own have selections. */
const FIELDS: Record<string, readonly (readonly [field: string, type?: string])[]> = {
  Query: [['a', 'A'], ['b', 'B'], ['named', 'Named'], ['either', 'Either'], ['__typename']],
  A: [
    ['id'],
    ['name'],
    ['size'],
    ['text(a: 1)'],
    ['text(a: 2)'],
    ['text(b: [1, 2])'],
    ['inner', 'Named'],
    ['own', 'A'],
    ['b', 'B'],
  ],
  B: [['id'], ['name'], ['size'], ['text(a: 1)'], ['text'], ['inner(first: 2)', 'Named'], ['own', 'B'], ['b', 'B']],
  Named: [['id'], ['name'], ['inner', 'Named'], ['inner(first: 1)', 'Named'], ['__typename']],
  Either: [['__typename']],
};
const NARROWED: Record<string, readonly string[]> = { Named: ['A', 'B', 'Named'], Either: ['A', 'B', 'Either'] };
const FRAGMENT_TYPES = ['Query', 'A', 'B', 'Named'];

/** A source of random whole numbers below a bound. */
type Pick = (bound: number) => number;

interface Writing {
  pick: Pick;
  /** Tokens that may still be written, roughly. */
  left: number;
  fragments: readonly string[];
}

/** Valid documents but for fields that can't be merged: fragments that cross each other, equal fields, aliases. */
export function documents(size: number): Arbitrary<string> {
  const picks = fc.infiniteStream(fc.nat(1_000_000));
  return fc.tuple(picks, fc.nat(12)).map(([numbers, fragmentCount]) => {
    const pick: Pick = (bound) => (numbers.next().value as number) % bound;
    const fragments = Array.from({ length: fragmentCount }, () => FRAGMENT_TYPES[pick(FRAGMENT_TYPES.length)]!);
    const writing: Writing = { pick, left: size, fragments };
    const operation = `query Q ${selections(writing, 'Query', 0, 0)}`;
    const texts = fragments.map(
      (type, index) => [index, `fragment F${index} on ${type} ${selections(writing, type, 2, index + 1)}`] as const,
    );
    return [operation, ...reached(texts, operation)].join('\n');
  });
}

/** Only fragments that are spread from the operation: others make a document invalid. */
function reached(texts: readonly (readonly [number, string])[], operation: string): string[] {
  const found: string[] = [];
  let seen = operation;
  for (const [index, text] of texts) {
    if (!new RegExp(`\\.\\.\\.F${index}\\b`).test(seen)) continue;
    found.push(text);
    seen += text;
  }
  return found;
}

/** Spreads fragments from `next` on only, so that none goes in circles. */
function selections(writing: Writing, type: string, depth: number, next: number): string {
  const { pick, fragments } = writing;
  const parts: string[] = [];
  for (let count = 1 + pick(4); count > 0; count -= 1) {
    writing.left -= 3;
    const kind = pick(10);
    const fitting = fragments.flatMap((on, index) => (index >= next && fits(on, type) ? [index] : []));
    if (kind < 3 && fitting.length > 0) parts.push(`...F${fitting[pick(fitting.length)]!}`);
    else if (kind === 3) {
      const inner = NARROWED[type] ?? [type];
      const on = inner[pick(inner.length)]!;
      parts.push(
        `... on ${on} ${writing.left > 0 && depth < 6 ? selections(writing, on, depth + 1, next) : '{ __typename }'}`,
      );
    } else parts.push(field(writing, type, depth, next));
  }
  return `{ ${parts.join(' ')} }`;
}

function field(writing: Writing, type: string, depth: number, next: number): string {
  const { pick } = writing;
  const choices = FIELDS[type]!;
  const [name, inner] = choices[pick(choices.length)]!;
  const alias = pick(6) === 0 ? `${['x', 'id', 'own'][pick(3)]!}: ` : '';
  if (inner === undefined) return alias + name;
  const isEnd = writing.left <= 0 || depth >= 6;
  return `${alias}${name} ${isEnd ? '{ __typename }' : selections(writing, inner, depth + 1, next)}`;
}

function fits(on: string, type: string): boolean {
  return (
    on === type ||
    (type === 'Either' && on !== 'Query') ||
    (type === 'Named' && on !== 'Query') ||
    (on === 'Named' && (type === 'A' || type === 'B'))
  );
}
