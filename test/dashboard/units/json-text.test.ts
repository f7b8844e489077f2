import fc from 'fast-check';
import { lossOfNumber } from '../../../src/dashboard/ui/json/json-losses.js';
import { readInput, readJson } from '../../../src/dashboard/ui/json/json-text.js';
import { readJsonTemplate } from '../../../src/dashboard/workflows/editor/values/json-template.js';

describe('what is said of a text that is no JSON', () => {
  it.each([
    ['', 'it is empty.'],
    ['{ a: 1 }', 'expected a name in double quotes or “}”, line 1, column 3.'],
    ['{ "a": }', 'expected a value, line 1, column 8.'],
    ['{\n  "a": [1, 2\n}', 'expected “,” or “]”, line 3, column 1.'],
    ['{ "a": 1,\n}', 'expected a name in double quotes, line 2, column 1.'],
    ['{ "a" 1 }', 'expected “:”, line 1, column 7.'],
    ['{ "a": 1 ', 'expected “,” or “}”, line 1, column 10.'],
    ['[1, nul]', 'expected a value, line 1, column 5.'],
    ['[] []', 'expected nothing more, line 1, column 4.'],
    ['["a\nb"]', 'the text that begins here is not closed, or has an invalid escape, line 1, column 2.'],
  ])('%j', (text, fault) => {
    expect(readJson(text)).toEqual({ fault: `This is not valid JSON: ${fault}` });
  });

  it('has a place that the text before it can go on from', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      'true',
      'null',
      ' ',
      '\n',
      '"',
      'x',
      '-',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const { fault } = readJson(text);
        if (fault === undefined || text.trim() === '') return;
        const [, line, column] = /line (\d+), column (\d+)\.$/.exec(fault)!.map(Number);
        const lines = text.split('\n');
        const before = [...lines.slice(0, line! - 1), lines[line! - 1]!.slice(0, column! - 1)].join('\n');
        const isBeginning = endingsOf(before).some((ending) => readJson(before + ending).fault === undefined);
        expect([text, fault, isBeginning]).toEqual([text, fault, true]);
      }),
      { numRuns: 2_000, examples: [[['{', '"a"', ':', 'true', ',', '{']]] },
    );
  });
});

describe('what is said of JSON whose values would change silently', () => {
  const rounded = (typed: string, read: string) =>
    `${typed} would be rounded to ${read}: a text in quotation marks keeps it`;
  it.each([
    ['{ "e": 1e400 }', '1e400 is beyond the range of a number, line 1, column 8.'],
    ['[\n  -1e400]', '-1e400 is beyond the range of a number, line 2, column 3.'],
    ['1e-400', '1e-400 is beyond the range of a number, line 1, column 1.'],
    ['[12345678901234567890]', `${rounded('12345678901234567890', '12345678901234567000')}, line 1, column 2.`],
    ['-9007199254740993', `${rounded('-9007199254740993', '-9007199254740992')}, line 1, column 1.`],
    ['9007199254740993.0', `${rounded('9007199254740993.0', '9007199254740992')}, line 1, column 1.`],
    ['9.007199254740993E15', `${rounded('9.007199254740993E15', '9007199254740992')}, line 1, column 1.`],
    ['{ "dup": 1, "dup": 2 }', 'The name dup stands twice, line 1, column 13.'],
    ['{ "a": [{ "b": {} }], "\\u0061": 2 }', 'The name a stands twice, line 1, column 23.'],
    ['{ "__proto__": 1, "__proto__" : 2 }', 'The name __proto__ stands twice, line 1, column 19.'],
    [`{ "n": 1${'0'.repeat(400)} }`, `1${'0'.repeat(39)}… is beyond the range of a number, line 1, column 8.`],
  ])('%j', (text, fault) => {
    expect(readJson(text)).toEqual({ fault });
    expect(readJsonTemplate(text)).toEqual({ fault });
  });

  it.each([
    '{ "a": "1e400", "b": { "a": "12345678901234567890" }, "c": [{ "a": 1 }, { "a": 1 }] }',
    '{ "a": "{ \\"a\\": 1, \\"a\\": 1e400 }", "b": ["a", "a"] }',
    '[0, -0, 0e999, 0.0, 9007199254740991, 9007199254740992, 1e21, 1.50, 0.1000000000000000055]',
    '[12345678901234567000, 1e308, 5e-324, 100]',
  ])('nothing of %j', (text) => {
    expect(readJson(text)).toEqual({ value: JSON.parse(text) });
  });

  it('nothing of what the dashboard writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readJson(JSON.stringify(value, null, 2))).toEqual({ value: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  it('of a long text, at once', () => {
    const long = JSON.stringify(['x\\"{'.repeat(500_000), Array.from({ length: 100_000 }, () => ({ a: 1.5 }))]);
    expect(readJson(long).fault).toBeUndefined();
    expect(readJson(`1${'0'.repeat(300_000)}1`).fault).toMatch(/beyond the range/);
  });
});

describe('the loss of a number that is typed alone', () => {
  it.each([
    ['', undefined],
    ['0x10', undefined],
    ['+.5', undefined],
    ['1e400', 'range'],
    ['+9007199254740993', 'rounded'],
  ])('%j: %s', (typed, loss) => {
    expect(lossOfNumber(typed)).toBe(loss);
  });
});

describe('the input of a run', () => {
  it('is null when nothing is typed', () => {
    expect([readInput(' \n'), readInput('{ "a": [1] }')]).toEqual([{ value: null }, { value: { a: [1] } }]);
  });
});

describe('JSON with placeholders', () => {
  it('takes those outside of quotes as texts, and leaves those inside', () => {
    const text = '{ "n": {{ trigger.body.n }}, "text": "of {{ run.id }}" }';
    expect(readJsonTemplate(text)).toEqual({ value: { n: '{{ trigger.body.n }}', text: 'of {{ run.id }}' } });
  });

  it('says the place of a fault as it is in the text', () => {
    expect(readJsonTemplate('{ "n": {{ trigger.body.n }}, b: 1 }')).toEqual({
      fault: 'This is not valid JSON: expected a name in double quotes, line 1, column 30.',
    });
  });

  it('says the place of a value that would change as it is in the text', () => {
    expect(readJsonTemplate('{ "n": {{ trigger.body.n }}, "b": 1e400 }')).toEqual({
      fault: '1e400 is beyond the range of a number, line 1, column 35.',
    });
    expect(readJsonTemplate('{ {{ run.a }}: 1, {{ run.b }}: 2, "{{ run.a }}": 3 }')).toEqual({
      fault: 'The name {{ run.a }} stands twice, line 1, column 35.',
    });
  });
});

/** What makes JSON of the beginning of one: a name or value that it may lack, and its open brackets closed. */
function endingsOf(beginning: string): string[] {
  const open: string[] = [];
  for (const mark of beginning.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/[^{}[\]]/g, '')) {
    if (mark === '{' || mark === '[') open.unshift(mark === '{' ? '}' : ']');
    else open.shift();
  }
  // The name is one that no piece has: a name that comes twice is a fault of its own.
  return ['', '1', ':1', '"b":1'].map((first) => first + open.join(''));
}
