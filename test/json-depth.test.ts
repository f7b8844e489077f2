import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exceedsContainers, exceedsDepth, exceedsMembers } from '../src/platform/json/json-depth.js';

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** So many objects with the same names. */
function records(members: number, count: number): string {
  const record = Object.fromEntries(Array.from({ length: members }, (_, index) => [`name ${index}`, index]));
  return Array.from({ length: count }, () => JSON.stringify(record)).join();
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

  it.each([
    // The first of a name, and those beyond the hundredth of an object.
    ['records with the same names', `[${records(3, 1_000)}]`, 3],
    ['an object of many members', records(500, 1), 500],
    ['such objects with the same names', `[${records(500, 3)}]`, 500 + 2 * 400],
    ['members in members', `{"a":{"b":{"c":"d:e"}}}`, 3],
    ['an object that goes on after another', `{"a":{"b":1},"c" :[{"b":1}],"d"\n: 1, "\\":":"}`, 5],
  ])('tells how many costly members it has: %s', (_, text, members) => {
    // So short texts are not looked at.
    const long = `${' '.repeat(10_000)}${text}`;
    expect(exceedsMembers(long, members)).toBe(false);
    expect(exceedsMembers(long, members - 1)).toBe(true);
  });

  it('never tells that a text is too short to have as many members', () => {
    const text = `{${Array.from({ length: 10 }, (_, index) => `"${index || ''}":1`).join()}}`;
    expect([exceedsMembers(text, 10), exceedsMembers(text, 9)]).toEqual([false, true]);
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
