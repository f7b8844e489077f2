import { describe, expect, it } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { JsonCheck } from '../src/platform/json/json-check.js';

/** The result for a text that is checked in parts of so many characters. */
function check(text: string, part: number, levels = 200): string {
  const json = new JsonCheck(text, levels);
  for (;;) {
    const found = json.advance(part);
    if (found !== undefined) return found;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What JSON is made of, in any order: hardly ever JSON, and wrong in each way. */
const signs = fc.constantFrom(
  ...['{', '}', '[', ']', ':', ',', '"', '\\', '"a"', '""', '1', '-', '0', '.', 'e', '+', '12', '-0.5e+7', 'true'],
  ...[
    'false',
    'null',
    'nul',
    'u00e9',
    '\\u00E9',
    '\\"',
    '\\n',
    '\\x',
    ' ',
    '\n',
    '\t',
    '\r',
    '\f',
    '\u0000',
    '\u00a0',
    '\ud800',
    'é',
  ],
);
const nonsense = fc.array(signs, { maxLength: 20 }).map((parts) => parts.join(''));

/** JSON with spaces, of which one character may be missing, doubled or replaced. */
const nearly: Arbitrary<string> = fc
  .tuple(
    fc.jsonValue(),
    fc.constantFrom(undefined, 1, '\t'),
    fc.nat(),
    fc.constantFrom('', 'same', '"', '\\', ',', '}', '0'),
  )
  .map(([value, space, place, instead]) => {
    const text = JSON.stringify(value, undefined, space);
    const at = place % text.length;
    if (place % 3 === 0) return text;
    return `${text.slice(0, at)}${instead === 'same' ? text[at]!.repeat(2) : instead}${text.slice(at + 1)}`;
  });

describe('the check of a JSON text in parts', () => {
  it('accepts what JSON.parse accepts, wherever the parts end', () => {
    fc.assert(
      fc.property(fc.oneof(nonsense, nearly), fc.integer({ min: 1, max: 9 }), (text, part) => {
        expect([text, check(text, part)]).toEqual([text, isJson(text) ? 'valid' : 'invalid']);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    '',
    ' ',
    '\ufeff1',
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    '-',
    '"\u001f"',
    '"\\u12"',
    '"',
    '{"a"}',
    '{1:2}',
    '[1,]',
    '{"a":1,}',
    '1 2',
    '[}',
    ']',
  ])('refuses %j', (text) => expect([check(text, 1), isJson(text)]).toEqual(['invalid', false]));

  it('tells 200 levels from 201, and stops there', () => {
    expect(check(`${'['.repeat(200)}${']'.repeat(200)}`, 7)).toBe('valid');
    expect(check('{"a":'.repeat(201), 7)).toBe('deep');
  });

  it('looks at no more than a part at a time', () => {
    const json = new JsonCheck(`[${'{},'.repeat(10_000)}1]`, 200);
    let parts = 1;
    while (json.advance(1_000) === undefined) parts += 1;
    expect(parts).toBe(31);
  });
});
