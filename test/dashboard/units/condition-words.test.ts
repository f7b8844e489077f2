import { conditionInWords } from '../../../src/dashboard/runs/steps/condition-words.js';

describe('a condition in words', () => {
  it.each([
    ['greater_than', { found: 250, expected: 100 }, 'Found 250, expected greater than 100.'],
    ['less_than', { found: '9', expected: 10 }, 'Found “9”, expected less than 10.'],
    ['equals', { found: null, expected: [1] }, 'Found null, expected [1].'],
    ['not_equals', { found: 'a', expected: 'b' }, 'Found “a”, expected anything but “b”.'],
    ['contains', { found: ['a'], expected: 'b' }, 'Found ["a"], expected something that contains “b”.'],
    ['exists', { found: false }, 'Found false.'],
    ['exists', {}, 'Found no value, expected one.'],
    ['not_exists', { found: 7 }, 'Found 7, expected none.'],
    ['not_exists', {}, 'Found no value, expected none.'],
    ['equals', { expected: 1, note: 'There is no value at the path.' }, 'Found no value, expected 1.'],
    [
      'equals',
      { found: '1', expected: 1, note: 'A text never equals a number.' },
      'Found “1”, expected 1. A text never equals a number.',
    ],
  ])('%s %j', (operator, values, words) => {
    expect(conditionInWords(operator, { holds: true, ...values })).toBe(words);
  });

  it('cuts long values', () => {
    const words = conditionInWords('equals', { holds: true, found: 'x'.repeat(1_000), expected: 1 });
    expect(words).toBe(`Found “${'x'.repeat(80)}…”, expected 1.`);
  });

  it('is none for a run that kept no values', () => {
    expect(conditionInWords('greater_than', { holds: false })).toBeUndefined();
    expect(conditionInWords(undefined, { holds: true, found: 1, expected: 1 })).toBeUndefined();
  });
});
