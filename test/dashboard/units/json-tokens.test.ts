import { jsonTokens } from '../../../src/dashboard/ui/json/json-tokens.js';

const joined = (text: string): string =>
  jsonTokens(text)
    .map((token) => token.text)
    .join('');

describe('the pieces of JSON text', () => {
  it('are the text again, each of its kind', () => {
    const text = JSON.stringify({ 'a "b"': ['x\\', 1.5e-7, true, null] }, null, 2);
    expect(joined(text)).toBe(text);
    expect(jsonTokens(text).flatMap(({ text: piece, kind }) => (kind === undefined ? [] : [[kind, piece]]))).toEqual([
      ['key', '"a \\"b\\""'],
      ['text', String.raw`"x\\"`],
      ['literal', '1.5e-7'],
      ['literal', 'true'],
      ['literal', 'null'],
    ]);
  });

  it('of a text that was cut off within JSON in JSON are few', () => {
    const body = JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ({ id })));
    const text = JSON.stringify({ body }).slice(0, 60_000);
    expect(joined(text)).toBe(text);
    expect(jsonTokens(text).map(({ kind }) => kind)).toEqual([undefined, 'key', undefined, 'text']);
  });
});
