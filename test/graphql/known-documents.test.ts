import { parse } from 'graphql';
import { Documents, isKnown } from '../../src/transports/graphql/documents/documents.js';
import { buildGatewaySchema } from '../../src/transports/graphql/schema.js';
import { wiredFeatures } from '../../scripts/emit/wiring.js';
import {
  DOCUMENTS,
  FAULTS,
  type KnownDocument,
  KnownTexts,
} from '../../src/transports/graphql/documents/known-documents.js';

const document = {
  document: parse('{ a }'),
  facts: { operations: [], mutations: new Set<string>(), leftOut: undefined },
};

describe('KnownTexts', () => {
  it('give a document by its text', () => {
    const known = new KnownTexts<KnownDocument>(DOCUMENTS);
    known.add('a', 'one', document);
    expect([known.get('a', 'one'), known.get('a', 'two')]).toEqual([document, undefined]);
  });

  it('forget what was used longest ago past 500', () => {
    const known = new KnownTexts<KnownDocument>(DOCUMENTS);
    for (let number = 0; number < 500; number += 1) known.add('a', `d${number}`, document);
    known.get('a', 'd0');
    known.add('a', 'one more', document);
    expect(['d0', 'd1', 'd2', 'one more'].map((text) => known.get('a', text) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('hold 262,144 characters of text together, and none of more than 16,384', () => {
    const known = new KnownTexts<KnownDocument>(DOCUMENTS);
    const texts = Array.from({ length: 17 }, (_, number) => String(number).padEnd(16_384));
    for (const text of texts) known.add('a', text, document);
    expect(texts.map((text) => known.get('a', text) !== undefined)).toEqual([false, ...Array<boolean>(16).fill(true)]);
    known.add('a', 'x'.repeat(16_385), document);
    expect(known.get('a', 'x'.repeat(16_385))).toBeUndefined();
    expect(known.get('a', texts[1]!)).toBe(document);
  });

  it('count a text once, however often it is added', () => {
    const known = new KnownTexts<KnownDocument>(DOCUMENTS);
    known.add('a', 'first', document);
    for (let time = 0; time < 30; time += 1) known.add('a', 'y'.repeat(16_384), document);
    expect(known.get('a', 'first')).toBe(document);
  });
});

describe('KnownTexts of several accounts', () => {
  const texts = (name: string, count: number, length: number) =>
    Array.from({ length: count }, (_, number) => `${name}${number}`.padEnd(length));
  const setUp = () => {
    const known = new KnownTexts<KnownDocument>(DOCUMENTS);
    return {
      add: (account: string, added: readonly string[]) => added.forEach((text) => known.add(account, text, document)),
      use: (account: string, used: readonly string[]) =>
        used.filter((text) => known.get(account, text) !== undefined).length,
    };
  };

  it.each([
    ['long', 1, 1_000, 16_384],
    ['short', 1, 2_000, 20],
    ['long', 3, 1_000, 16_384],
  ])('are not displaced by %s texts of %i others', (_, accounts, count, length) => {
    const { add, use } = setUp();
    const own = texts('own', 16, 3_000);
    add('own', own);
    for (let account = 0; account < accounts; account += 1)
      add(`other${account}`, texts(`other${account} `, count, length));
    expect(use('own', own)).toBe(16);
  });

  it('are forgotten by the use longest ago within one account', () => {
    const { add, use } = setUp();
    const [first, ...later] = texts('a', 200, 1_000);
    add('a', [first!, ...later]);
    add('b', texts('b', 50, 1_000));
    use('a', [first!]);
    add('b', texts('more of b', 50, 1_000));
    expect([use('a', [first!]), use('a', later), use('b', texts('b', 50, 1_000))]).toEqual([1, 161, 50]);
  });

  it('leave to every account as much as to others that want more', () => {
    const { add, use } = setUp();
    const [a, b] = [texts('a', 300, 1_000), texts('b', 300, 1_000)];
    add('a', a);
    add('b', b);
    expect([use('a', a), use('b', b)]).toEqual([131, 131]);
  });

  it('stay while another account uses them, whoever brought them', () => {
    const { add, use } = setUp();
    const shared = texts('shared', 20, 1_000);
    add('first', shared);
    use('second', shared);
    add('first', texts('first', 1_000, 16_384));
    expect(use('second', shared)).toBe(20);
    use('third', shared);
    add('third', texts('third', 1_000, 16_384));
    expect(use('second', shared)).toBe(20);
  });

  it('stay by their last use while no account has many', () => {
    const { add, use } = setUp();
    const shared = texts('shared', 3, 1_000);
    add('first', shared);
    for (let account = 0; account < 1_000; account += 1) {
      use(`account${account}`, shared);
      add(`account${account}`, [`text${account}`]);
    }
    expect(use('first', shared)).toBe(3);
  });
});

describe('a document that is refused', () => {
  const invalid = (number: number) => `{ workflows { nothing${number} } }`;
  let documents: Documents;
  beforeAll(async () => {
    documents = new Documents(buildGatewaySchema((await wiredFeatures()).resolvers));
  });
  const read = (text: string, given = {}) => documents.read('acc', text, given, undefined);

  it.each(['{', invalid(0), '{ viewer { a: __typename a: id } }'])('is parsed and validated once: %s', (text) => {
    expect(documents.newnessOf(text)).toBe(0);
    const faults = read(text);
    expect(isKnown(faults)).toBe(false);
    expect(read(text)).toBe(faults);
    expect(documents.newnessOf(text)).toBeUndefined();
  });

  it('is not kept for a fault of its variables', () => {
    const text = 'query ($n: Int) { workflows(perPage: $n) { items { runs(perPage: 100) { items { id } } } } }';
    expect(isKnown(read(text, { n: 100 }))).toBe(false);
    expect(isKnown(read(text, { n: 10 }))).toBe(true);
  });

  it('pushes out no document that was accepted, and only others that were refused', () => {
    const accepted = read('{ viewer { __typename } }');
    const first = read(invalid(1));
    for (let number = 2; number <= FAULTS.count; number += 1) read(invalid(number));
    expect(read(invalid(1))).toBe(first);
    for (let number = 1; number <= DOCUMENTS.count; number += 1) read(invalid(1_000 + number));
    expect(read(invalid(1))).not.toBe(first);
    expect(read('{ viewer { __typename } }')).toBe(accepted);
  });

  it('pushes out none that another account repeats', () => {
    const first = read('{ nothing }');
    const long = (number: number) => `{ nothing } #${number}${'x'.repeat(10_000)}`;
    for (let number = 0; number < 20; number += 1) documents.read('other', long(number), {}, undefined);
    expect(read('{ nothing }')).toBe(first);
  });

  it('counts with the messages of its faults, which quote it', () => {
    const long = (number: number) => `{ workflows(perPage: "${'x'.repeat(7_000)}${number}") { items { id } } }`;
    const faults = Array.from({ length: 5 }, (_, number) => read(long(number)));
    expect(faults.map((each, number) => read(long(number)) === each)).toContain(false);
    expect(FAULTS.length / 5).toBeGreaterThan(7_000);
  });
});
