import { describe, expect, it } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { type Path, resolvePath } from '../../src/features/actions/placeholders/path.js';
import { valuesIn } from '../../src/features/actions/placeholders/values-in.js';
import { scansOf } from '../fuzz/cost/scans.js';

/** Few names, so that paths meet them, and objects have them twice. */
const name = fc.constantFrom('a', 'b', '0', '1', '10', 'length', '__proto__', 'é', 'q"');
const paths = fc.array(fc.array(name, { maxLength: 4 }), { minLength: 1, maxLength: 6 });
const space = fc.constantFrom('', ' ', '\n\t');

const scalar = fc.oneof(
  fc.constantFrom('null', 'true', '-1.5e3', '{}', '[]', '""', '"[{\\"}]"', '"\\\\"'),
  name.map((text) => JSON.stringify(text)),
);

/** JSON texts as no serializer writes them: names twice or escaped, and spaces anywhere. */
const { text: texts } = fc.letrec<{ text: string }>((tie) => ({
  text: fc
    .tuple(space, fc.oneof({ depthSize: 'medium' }, scalar, listOf(tie('text')), objectOf(tie('text'))), space)
    .map((parts) => parts.join('')),
}));

function listOf(item: Arbitrary<string>): Arbitrary<string> {
  return fc.array(item, { maxLength: 12 }).map((items) => `[${items.join()}]`);
}

function objectOf(value: Arbitrary<string>): Arbitrary<string> {
  const member = fc
    .tuple(space, name, fc.boolean(), space, value)
    .map(
      ([before, of, isEscaped, after, inner]) =>
        `${before}${isEscaped ? escaped(of) : JSON.stringify(of)}${after}:${inner}`,
    );
  return fc.array(member, { maxLength: 6 }).map((members) => `{${members.join()}}`);
}

function escaped(of: string): string {
  return `"${of.replaceAll(/./gsu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

describe('the values at paths of a JSON text', () => {
  it('are those of the parsed text', () => {
    fc.assert(
      fc.property(texts, paths, (text, wanted: readonly Path[]) => {
        const parsed: unknown = JSON.parse(text);
        const read = valuesIn(text, wanted);
        for (const path of wanted) expect([path, read(path)]).toEqual([path, resolvePath(parsed, path)]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are those of the last member of a name, all the way', () => {
    const read = valuesIn('{"a":{"b":{"c":1},"b":2},"d":{"e":[1,{"f":3}]},"d":{"e":[4]}}', [
      ['a', 'b', 'c'],
      ['a', 'b'],
      ['d', 'e', '1', 'f'],
      ['d', 'e', '0'],
    ]);
    expect(read(['a', 'b', 'c'])).toBeUndefined();
    expect(read(['a', 'b'])).toBe(2);
    expect(read(['d', 'e', '1', 'f'])).toBeUndefined();
    expect(read(['d', 'e', '0'])).toBe(4);
  });

  it('are the same object each time', () => {
    const read = valuesIn('{"a":[1],"b":[2]}', [['a']]);
    expect(read(['a'])).toBe(read(['a']));
  });

  it('are found after four looks at each character, however many paths there are', () => {
    const item = `{"id":1,"name":"${'x'.repeat(100)}","tags":[{},{}]},`;
    const text = `{"items":[${item.repeat(500)}0],"last":1}`;
    const wanted = Array.from({ length: 400 }, (_, n) => ['items', String(n), 'id']);
    expect(scansOf(() => valuesIn(text, wanted)(['items', '0', 'id']))).toBeLessThanOrEqual(4 * text.length);
  });

  it('of a list whose name comes again and again are looked for without a look at all paths each time', () => {
    const { test } = RegExp.prototype;
    let tests = 0;
    RegExp.prototype.test = function (text) {
      tests += 1;
      return test.call(this, text);
    };
    const wanted = Array.from({ length: 500 }, (_, n) => ['a', String(n)]);
    try {
      valuesIn(`{${'"a":[],'.repeat(1_000)}"a":[7]}`, wanted);
    } finally {
      RegExp.prototype.test = test;
    }
    expect(tests).toBeLessThanOrEqual(2 * wanted.length);
  });

  it('within one another are parsed once, with the whole text', () => {
    const depth = 150;
    const text = `${'{"a":'.repeat(depth)}"${'x'.repeat(5_000)}"${'}'.repeat(depth)}`;
    const wanted = Array.from({ length: depth }, (_, n) => Array.from({ length: n + 1 }, () => 'a'));
    expect(scansOf(() => wanted.map(valuesIn(text, wanted)))).toBeLessThanOrEqual(4 * text.length);
    expect(valuesIn(text, wanted)(wanted.at(-1)!)).toBe('x'.repeat(5_000));
  });
});
