import { describe, expect, it } from '@jest/globals';
import { RecentTexts } from '../src/platform/caches/recent-texts.js';

describe('recent texts', () => {
  it('keep so many characters together, those used last', () => {
    const texts = new RecentTexts(10);
    texts.keep('a', '1234');
    texts.keep('b', '1234');
    expect(texts.find('a')).toBe('1234');
    texts.keep('c', '123');
    expect(['a', 'b', 'c'].map((key) => texts.find(key))).toEqual(['1234', undefined, '123']);
    texts.keep('c', '123456');
    expect(['a', 'c'].map((key) => texts.find(key))).toEqual(['1234', '123456']);
  });

  it('keep no text that is longer, nor an older one of its key', () => {
    const texts = new RecentTexts(3);
    texts.keep('a', '123');
    texts.keep('a', '1234');
    expect(texts.find('a')).toBeUndefined();
    texts.keep('b', '123');
    expect(texts.find('b')).toBe('123');
  });
});
