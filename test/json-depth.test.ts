import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exceedsContainers, exceedsDepth } from '../src/platform/json/json-depth.js';

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the shape of a JSON text', () => {
  it.each([
    ['1', 0],
    ['"[[["', 0],
    ['[]', 1],
    ['{}', 1],
    ['[[], {}]', 2],
    ['[1, [2], [3]]', 2],
    ['{"a": {"b": [1]}}', 3],
    ['{"[": "{"}', 1],
    ['["\\"[[[", []]', 2],
    ['["\\\\", [[]]]', 3],
    ['["\\u005b[\\\\\\"[", 1]', 1],
  ])('counts the levels of %s as %i', (text, levels) => {
    expect(exceedsDepth(text, levels)).toBe(false);
    if (levels > 0) expect(exceedsDepth(text, levels - 1)).toBe(true);
  });

  it.each([
    ['"[{"', 0],
    ['[1,2,3]', 1],
    ['[[],{},{"a":[]}]', 5],
  ])('tells how many objects and lists %s has: %i', (text, containers) => {
    expect(exceedsContainers(text, containers)).toBe(false);
    if (containers > 0) expect(exceedsContainers(text, containers - 1)).toBe(true);
  });

  it('tells 200 levels from 201', () => {
    expect(exceedsDepth('['.repeat(200) + ']'.repeat(200), 200)).toBe(false);
    expect(exceedsDepth('['.repeat(201) + ']'.repeat(201), 200)).toBe(true);
    expect(exceedsDepth('{"a":'.repeat(201) + '1' + '}'.repeat(201), 200)).toBe(true);
  });

  it('takes 20,000 levels without running out of stack', () => {
    const text = '['.repeat(20_000) + ']'.repeat(20_000);
    expect(exceedsDepth(text, 20_000)).toBe(false);
    expect(exceedsDepth(text, 19_999)).toBe(true);
  });

  it('takes any text, well-formed or not', () => {
    for (const text of ['', '"', '"\\', ']]]', '[}', '{"a']) expect(exceedsDepth(text, 5)).toBe(false);
  });

  it('agrees with the nesting of any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const depth = depthOf(JSON.parse(text));
        expect(exceedsDepth(text, depth)).toBe(false);
        if (depth > 0) expect(exceedsDepth(text, depth - 1)).toBe(true);
      }),
    );
  });
});
