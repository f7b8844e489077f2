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
    known.add('one', document);
    expect([known.get('one'), known.get('two')]).toEqual([document, undefined]);
  });

  it('forget what was used longest ago past 500', () => {
    const known = new KnownTexts<KnownDocument>(DOCUMENTS);
    for (let number = 0; number < 500; number += 1) known.add(`d${number}`, document);
    known.get('d0');
    known.add('one more', document);
    expect(['d0', 'd1', 'd2', 'one more'].map((text) => known.get(text) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('hold 262,144 characters of text together, and none of more than 16,384', () => {
    const known = new KnownTexts<KnownDocument>(DOCUMENTS);
    const texts = Array.from({ length: 17 }, (_, number) => String(number).padEnd(16_384));
    for (const text of texts) known.add(text, document);
    expect(texts.map((text) => known.get(text) !== undefined)).toEqual([false, ...Array<boolean>(16).fill(true)]);
    known.add('x'.repeat(16_385), document);
    expect(known.get('x'.repeat(16_385))).toBeUndefined();
    expect(known.get(texts[1]!)).toBe(document);
  });

  it('count a text once, however often it is added', () => {
    const known = new KnownTexts<KnownDocument>(DOCUMENTS);
    known.add('first', document);
    for (let time = 0; time < 30; time += 1) known.add('y'.repeat(16_384), document);
    expect(known.get('first')).toBe(document);
  });
});

describe('a document that is refused', () => {
  const invalid = (number: number) => `{ workflows { nothing${number} } }`;
  let documents: Documents;
  beforeAll(async () => {
    documents = new Documents(buildGatewaySchema((await wiredFeatures()).resolvers));
  });
  const read = (text: string, given = {}) => documents.read(text, given, undefined);

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

  it('counts with the messages of its faults, which quote it', () => {
    const long = (number: number) => `{ workflows(perPage: "${'x'.repeat(7_000)}${number}") { items { id } } }`;
    const faults = Array.from({ length: 5 }, (_, number) => read(long(number)));
    expect(faults.map((each, number) => read(long(number)) === each)).toContain(false);
    expect(FAULTS.length / 5).toBeGreaterThan(7_000);
  });
});
