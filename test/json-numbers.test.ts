import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '../src/platform/json/canonical-json.js';
import { hugeNumberIn, parseExactly } from '../src/platform/json/json-numbers.js';

const canonical = (text: string) => canonicalJson(parseExactly(text));

describe('the exact value of a JSON text', () => {
  it.each([
    ['9007199254740993', '9007199254740992'],
    ['12345678901234567891', '12345678901234567892'],
    ['12345678901234567891', '"12345678901234567891"'],
    ['0.1', '0.10000000000000001'],
    ['1e400', '1e401'],
    ['1e400', '-1e400'],
    ['1e400', 'null'],
    ['1e-400', '0'],
    [`1${'0'.repeat(400)}1`, `1${'0'.repeat(400)}2`],
  ])('%s differs from %s', (one, other) => {
    for (const [left, right] of [
      [one, other],
      [`{"a":[${one}]}`, `{"a":[${other}]}`],
    ])
      expect(canonical(left!)).not.toBe(canonical(right!));
  });

  it.each([
    ['1', '1.0'],
    ['100', '1e2'],
    ['-0', '0'],
    ['0.0015', '1.5E-3'],
    ['9007199254740993', '9007199254740993.0'],
    ['9007199254740993', '9007199254740.993e3'],
    ['1e400', '10.0e+399'],
    ['100000000000000000000000', '1e23'],
    ['{"b":1,"a":12345678901234567891}', '{ "a": 12345678901234567891, "b": 1.0 }'],
  ])('%s equals %s', (one, other) => {
    expect(canonical(one)).toBe(canonical(other));
  });

  it('is that of JSON.parse where no number is rounded', () => {
    const text = '{"a":[1.5,-3e2,9007199254740991,"12345678901234567891"],"__proto__":{"b":null}}';
    expect(canonical(text)).toBe(canonicalJson(JSON.parse(text)));
  });

  it('keeps a number of any length', () => {
    const text = `1${'0'.repeat(100_000)}1`;
    expect(canonical(text)).toBe(text + 'e0');
  });

  it('computes with no exponent that has many digits', () => {
    const text = `10e-${'9'.repeat(100_000)}`;
    expect(canonical(text)).toBe(text);
  });
});

describe('a number beyond the range of a double', () => {
  it.each([
    ['{"a":{"b":[1,1e400]}}', 'a.b.1'],
    ['[-1E+309]', '0'],
    [`{"a":1${'0'.repeat(309)}}`, 'a'],
    ['1e400', ''],
    ['{"a":1e308,"b":"1e400","c":1e-400,"d":12345678901234567891}', undefined],
  ])('%s is at %s', (text, path) => {
    expect(hugeNumberIn(text, JSON.parse(text))).toBe(path);
  });
});
