import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonText } from '../../../src/platform/json/json-text.js';
import { EVENT_BYTES, eventText, MAX_JSON_FIELDS } from '../../../src/transports/graphql/subscriptions/event-text.js';

let steps = 0;

/** Counts how often a text is measured or parsed. */
class CountedText extends JsonText {
  override get length(): number {
    steps += 1;
    return super.length;
  }

  override get bytes(): number {
    steps += 1;
    return super.bytes;
  }

  override toJSON(): unknown {
    steps += 1;
    return super.toJSON();
  }
}

interface Item {
  name: string;
  input: string | null;
}

/** An event with a text of each of these lengths, of letters of one to three bytes. */
function eventOf(lengths: readonly number[], letter: string) {
  const items = lengths.map((length, index) => ({
    name: `n${index}`,
    input: new CountedText(JSON.stringify(letter.repeat(length))),
  }));
  return { data: { changed: { items } } };
}

const letters = fc.constantFrom('x', 'é', '€', '"');
/** The lengths of few long texts, up to tens of thousands of short ones. */
const shapes = fc.record({
  count: fc.constantFrom(1, 3, 30, 400, MAX_JSON_FIELDS, MAX_JSON_FIELDS + 1, 3_000, 30_000),
  total: fc.integer({ min: 1, max: 4_000_000 }),
  odd: fc.array(fc.nat(1_000), { minLength: 5, maxLength: 5 }),
});
const lengthsOf = ({ count, total, odd }: { count: number; total: number; odd: number[] }): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(total / count) + odd[index % 5]!);

describe('the text of any event', () => {
  it('takes steps in proportion to its number of texts, however many are too many', () => {
    fc.assert(
      fc.property(shapes, letters, (shape, letter) => {
        const each = lengthsOf(shape);
        steps = 0;
        eventText(eventOf(each, letter));
        // Three times estimated and three times written, and measured once.
        expect(steps).toBeLessThanOrEqual(7 * each.length);
      }),
      { numRuns: 30 },
    );
  });

  it('has 1 MB at most, loses its largest fields first, and names each of them', () => {
    fc.assert(
      fc.property(shapes, letters, (shape, letter) => {
        const each = lengthsOf(shape);
        const text = eventText(eventOf(each, letter));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(EVENT_BYTES);
        const { data, extensions } = JSON.parse(text) as {
          data: { changed: { items: Item[] } } | null;
          extensions?: { omitted: string[] };
        };
        const omitted = extensions?.omitted ?? [];
        if (data === null) {
          expect([omitted, each.length > MAX_JSON_FIELDS]).toEqual([['changed'], true]);
          return;
        }
        const { items } = data.changed;
        const missing = items.flatMap(({ input }, index) => (input === null ? [index] : []));
        expect(omitted.toSorted()).toEqual(missing.map((index) => `changed.items.${index}.input`).toSorted());
        const kept = each.filter((_, index) => items[index]!.input !== null);
        expect(Math.max(0, ...kept)).toBeLessThanOrEqual(Math.min(Infinity, ...missing.map((index) => each[index]!)));
      }),
      { numRuns: 30 },
    );
  });
});
