import fc from 'fast-check';
import { readInput, readJson } from '../../../src/dashboard/ui/values/json-text.js';
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
      { numRuns: 2_000 },
    );
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
});

/** What makes JSON of the beginning of one: a name or value that it may lack, and its open brackets closed. */
function endingsOf(beginning: string): string[] {
  const open: string[] = [];
  for (const mark of beginning.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/[^{}[\]]/g, '')) {
    if (mark === '{' || mark === '[') open.unshift(mark === '{' ? '}' : ']');
    else open.shift();
  }
  return ['', '1', ':1', '"a":1'].map((first) => first + open.join(''));
}
