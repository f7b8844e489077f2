import fc from 'fast-check';
import { jsonPieces } from '../../src/platform/json/json-pieces.js';
import { JsonText } from '../../src/platform/json/json-text.js';

const LENGTH = 65_536;

/** Values with texts that make pieces, as responses have them. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined)),
    fc.integer({ min: 1, max: 40_000 }).map((length) => '"é\ud800'.repeat(length)),
    fc.jsonValue().map((json) => new JsonText(JSON.stringify(json))),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 6 }),
  ),
}));

describe('JSON in pieces', () => {
  it('is what JSON.stringify writes', () => {
    fc.assert(fc.property(value, (given) => [...jsonPieces([given])].join('') === JSON.stringify([given])));
  });

  it('has pieces no longer than needed: many short items are divided, one long text is not', () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'a name', left: undefined }));
    const text = 'x'.repeat(1_000_000);
    for (const given of [
      items,
      { data: { items } },
      items.map((item) => [item]),
      Object.fromEntries(items.entries()),
    ]) {
      const lengths = [...jsonPieces(given)].map(({ length }) => length);
      expect(Math.max(...lengths)).toBeLessThan(3 * LENGTH);
      expect(lengths.length).toBeGreaterThan(6);
    }
    expect([...jsonPieces([text, 1])].map(({ length }) => length)).toEqual([text.length + 3, 3]);
  });
});
