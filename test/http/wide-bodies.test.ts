import { describe, expect, it } from '@jest/globals';
import { unstorablePath } from '../../src/platform/validation.js';

/** The members that `Object.entries` copies while `work` runs. */
function copiedBy(work: () => unknown): number {
  const { entries } = Object;
  let copied = 0;
  Object.entries = (value: object) => {
    const members = entries(value);
    copied += members.length;
    return members;
  };
  try {
    work();
  } finally {
    Object.entries = entries;
  }
  return copied;
}

describe('an object of many members', () => {
  const wide = Object.fromEntries(Array.from({ length: 13_000 }, (_, index) => [`key ${index}`, '\\u0000']));

  it('is looked through without a copy of its members if all can be stored', () => {
    const storable = Object.fromEntries(Object.keys(wide).map((key) => [key, 'é\n\\u00e9']));
    expect(copiedBy(() => expect(unstorablePath(storable, 'input')).toBeUndefined())).toBe(0);
  });

  it.each([
    ['the text of an escape can be stored', { inner: wide }, undefined],
    ['NUL cannot', { inner: { ...wide, last: 'a\0' } }, 'input.inner.last'],
    ['a lone surrogate in a list cannot', { inner: [1, '\udfff'] }, 'input.inner.1'],
    ['a high one cannot', { inner: '\ud83d' }, 'input.inner'],
    ['nor can one in a name', { inner: { 'a\ud800': 1 } }, 'input.inner'],
  ])('%s', (_, value, path) => {
    expect(unstorablePath(value, 'input')).toBe(path);
  });
});
