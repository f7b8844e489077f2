import { parse } from 'graphql';
import { KnownDocuments } from '../../src/transports/graphql/documents/known-documents.js';

const document = {
  document: parse('{ a }'),
  facts: { operations: [], mutations: new Set<string>(), leftOut: undefined },
};

describe('KnownDocuments', () => {
  it('give a document by its text', () => {
    const known = new KnownDocuments();
    known.add('one', document);
    expect([known.get('one'), known.get('two')]).toEqual([document, undefined]);
  });

  it('forget what was used longest ago past 500', () => {
    const known = new KnownDocuments();
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
    const known = new KnownDocuments();
    const texts = Array.from({ length: 17 }, (_, number) => String(number).padEnd(16_384));
    for (const text of texts) known.add(text, document);
    expect(texts.map((text) => known.get(text) !== undefined)).toEqual([false, ...Array<boolean>(16).fill(true)]);
    known.add('x'.repeat(16_385), document);
    expect(known.get('x'.repeat(16_385))).toBeUndefined();
    expect(known.get(texts[1]!)).toBe(document);
  });

  it('count a text once, however often it is added', () => {
    const known = new KnownDocuments();
    known.add('first', document);
    for (let time = 0; time < 30; time += 1) known.add('y'.repeat(16_384), document);
    expect(known.get('first')).toBe(document);
  });
});
