import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { faultsOfConfig } from '../../src/features/actions/config-checks.js';
import { containsText } from '../../src/features/actions/comparisons/contains-text.js';
import { equalTo } from '../../src/features/actions/comparisons/equal-json.js';
import { condition } from '../../src/features/actions/kinds/condition.js';
import { type StepWork } from '../../src/features/actions/step-work.js';
import { Steps } from '../fuzz/cost/steps.js';

/** Texts of few letters. They are repetitive, which makes searches slow. */
const repetitive = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), maxLength });

describe('contains of a text', () => {
  it('finds what String.includes finds, in two reads for each character', () => {
    const holds = fc.property(repetitive(400), repetitive(20), (text, wanted) => {
      let reads = 0;
      const searched = {
        length: text.length,
        charCodeAt: (at: number) => {
          reads += 1;
          return text.charCodeAt(at);
        },
      };
      expect(containsText(searched, wanted)).toBe(text.includes(wanted));
      expect(reads).toBeLessThanOrEqual(2 * text.length);
    });
    fc.assert(holds, { numRuns: 500 });
  });

  it.each([
    ['a beginning that comes back', 'a'.repeat(1_000_000), `${'a'.repeat(500)}b${'a'.repeat(499)}`, false],
    ['the end of a text', `${'a'.repeat(999_000)}b`, `${'a'.repeat(999)}b`, true],
    ['nothing', '', '', true],
    ['an empty text', 'x', '', true],
    ['half of a character', '\u{1f600}', '\ud83d', true],
  ])('finds %s', (_what, text, wanted, expected) => {
    expect(containsText(text, wanted)).toBe(expected);
  });

  const faults = (value: unknown, operator = 'contains') =>
    faultsOfConfig(condition, { path: 'trigger.body', operator, value }, 'config', {
      earlier: new Set(),
      offersType: () => true,
    });

  it('accepts 1,000 characters, and refuses one more at any position', () => {
    for (const letter of ['x', '\u{1f600}', '\\{{']) {
      expect(faults(letter.repeat(letter === '\\{{' ? 500 : 1_000))).toEqual([]);
      expect(faults(letter.repeat(letter === '\\{{' ? 501 : 1_001))).toEqual([
        { field: 'config.value', message: 'must have at most 1000 characters' },
      ]);
    }
    expect(faults(`{{ trigger.body.a }}${'x'.repeat(1_001)}`)).toHaveLength(1);
    expect(faults('{{ trigger.body.a }}')).toEqual([]);
    expect(faults('x'.repeat(2_000), 'equals')).toEqual([]);
    expect(faults({ any: 'x'.repeat(2_000) })).toEqual([]);
  });
});

describe('equality of JSON', () => {
  const json = fc.jsonValue({ maxDepth: 3 });

  it('is that of Node', () => {
    const holds = fc.property(json, json, (a, b) => {
      const [one, other] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))] as unknown[];
      expect([equalTo(one)(other), equalTo(one)(structuredClone(one))]).toEqual([isDeepStrictEqual(one, other), true]);
    });
    fc.assert(holds, { numRuns: 1_000 });
    expect(equalTo(JSON.parse('{"__proto__":{"a":1}}'))(JSON.parse('{"__proto__":{"a":1}}'))).toBe(true);
    expect(equalTo({})(JSON.parse('{"__proto__":{"a":1}}'))).toBe(false);
  });

  it('of each item of a list takes steps that grow like the list, however large the value is', () => {
    const value = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]));
    const list = Array.from({ length: 5_000 }, (_, index) => (index % 2 ? {} : { k0: 0 }));
    const steps = new Steps();
    const config = { path: 'trigger.body', operator: 'contains', value: steps.of(value) };
    const { output } = condition.execute(config, {} as StepWork, () => list) as { output: unknown };
    expect(output).toMatchObject({ holds: false });
    // The keys of the value are counted by the comparison and by its excerpt, once each.
    expect(steps.count).toBeLessThan(25_000);
  });
});
