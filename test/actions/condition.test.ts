import fc from 'fast-check';
import { excerptOf, MAX_EXCERPT } from '../../src/features/actions/comparisons/excerpt.js';
import { condition } from '../../src/features/actions/kinds/condition.js';
import { type StepWork } from '../../src/features/actions/step-work.js';

/** The output of a condition that finds a value. */
function outputOf(found: unknown, operator: string, value?: unknown): Record<string, unknown> {
  const config = { path: 'trigger.body', operator, ...(value !== undefined && { value }) };
  const { output } = condition.execute(config, {} as StepWork, () => found) as { output: unknown };
  return JSON.parse(JSON.stringify(output)) as Record<string, unknown>;
}

const holds = (found: unknown, operator: string, value: unknown) => outputOf(found, operator, value).holds;

describe('greater_than and less_than', () => {
  it.each([
    ['two numbers', 250, 100],
    ['a number and a text that is one', 250, '100'],
    ['a text that is a number and a number', '250', 100],
    ['two texts that are numbers, whose code units say otherwise', '250', '1e2'],
    ['negative and broken ones', '-0.5', -1],
    ['two times', '2026-11-24T10:00:00Z', '2026-11-24T09:59:59Z'],
    ['a text that only begins like a number, and another', '5 apples', '10 pears'],
    ['texts with a zero before them', '01', '00'],
  ])('orders %s', (_, greater, less) => {
    expect([holds(greater, 'greater_than', less), holds(less, 'greater_than', greater)]).toEqual([true, false]);
    expect([holds(greater, 'less_than', less), holds(less, 'less_than', greater)]).toEqual([false, true]);
    expect(holds(greater, 'greater_than', greater)).toBe(false);
    expect(outputOf(greater, 'greater_than', less)).toEqual({ holds: true, found: greater, expected: less });
  });

  it.each([
    ['abc', 100, 'A text that is not a number cannot be compared with a number.'],
    [' 250', 100, 'A text that is not a number cannot be compared with a number.'],
    ['', 0, 'A text that is not a number cannot be compared with a number.'],
    [250, '1,000', 'A number cannot be compared with a text that is not a number.'],
    [true, 0, 'A boolean cannot be compared with a number.'],
    [null, 0, 'Null cannot be compared with a number.'],
    [[250], 100, 'A list cannot be compared with a number.'],
    [{ total: 250 }, 'a', 'An object cannot be compared with a text.'],
  ])('says that %j and %j have no order', (found, expected, note) => {
    expect(outputOf(found, 'greater_than', expected)).toEqual({ holds: false, found, expected, note });
    expect(outputOf(found, 'less_than', expected)).toEqual({ holds: false, found, expected, note });
  });
});

describe('the output of a condition', () => {
  it.each([
    [250, 'equals', '250', false, 'A number never equals a text.'],
    ['250', 'not_equals', 250, true, 'A text never equals a number.'],
    ['order 7', 'contains', 7, false, 'A text never contains a number.'],
    [7, 'contains', 'x', false, 'A number never contains a text.'],
    [undefined, 'not_equals', 1, true, 'There is no value at the path.'],
    [undefined, 'less_than', 1, false, 'There is no value at the path.'],
  ])('says why %j %s %j could not come out otherwise', (found, operator, expected, result, note) => {
    expect(outputOf(found, operator, expected)).toEqual({ holds: result, found, expected, note });
  });

  it('keeps only what was compared', () => {
    expect(outputOf({ a: 1 }, 'equals', { a: 1 })).toEqual({ holds: true, found: { a: 1 }, expected: { a: 1 } });
    expect(outputOf(null, 'exists')).toEqual({ holds: true, found: null });
    expect(outputOf(undefined, 'not_exists', 'left from before')).toEqual({ holds: true });
    expect(outputOf(['a', 2], 'contains', 2)).toEqual({ holds: true, found: ['a', 2], expected: 2 });
  });

  it('cuts long values and says so', () => {
    const long = 'x'.repeat(300_000);
    const cut = 'x'.repeat(MAX_EXCERPT);
    expect(outputOf(long, 'equals', long)).toEqual({ holds: true, found: cut, expected: cut, truncated: true });
    const { found, truncated } = outputOf({ list: [long, 1] }, 'exists');
    expect([found, truncated]).toEqual([`{"list":["${long}`.slice(0, MAX_EXCERPT), true]);
    expect(outputOf(cut, 'exists')).toEqual({ holds: true, found: cut });
    expect(outputOf(`${'x'.repeat(MAX_EXCERPT - 1)}\u{1f600}`, 'exists').found).toBe(
      `${'x'.repeat(MAX_EXCERPT - 1)}\ufffd`,
    );
  });

  it('has the beginning of the JSON of any long value, and any other whole', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'large', stringUnit: 'binary' }), (any) => {
        const value: unknown = JSON.parse(JSON.stringify(any));
        const json = JSON.stringify(value);
        const { value: kept, truncated } = excerptOf(value);
        expect(truncated).toBe((typeof value === 'string' ? value : json).length > MAX_EXCERPT);
        if (!truncated) expect(kept).toBe(value);
        else if (typeof value !== 'string') expect(kept).toBe(json.slice(0, MAX_EXCERPT).toWellFormed());
      }),
    );
  });
});
