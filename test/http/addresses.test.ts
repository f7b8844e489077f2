import { describe, expect, it } from '@jest/globals';
import { MAX_AUTHORITY, parseUrl } from '../../src/platform/http/outbound/addresses.js';

const LONG = '\u4e00'.repeat(MAX_AUTHORITY + 1);

describe('a URL', () => {
  // The parser takes all of them for the same host.
  it.each(['https://', 'https:', 'https:////', 'https:\\\\', 'ht\ntps:/\t/', ' https://', 'https://user:key@'])(
    'with an authority of more than 512 characters after %j is refused before it is parsed',
    (beginning) => {
      expect(parseUrl(`${beginning}example.com/${LONG}`)?.hostname).toBe('example.com');
      expect(parseUrl(`${beginning}${LONG}/`)).toBeUndefined();
    },
  );

  it('may have an authority of 512 characters', () => {
    const user = 'u'.repeat(MAX_AUTHORITY - '@example.com'.length);
    expect(parseUrl(`https://${user}@example.com/`)?.hostname).toBe('example.com');
    expect(parseUrl(`https://${user}u@example.com/`)).toBeUndefined();
  });
});
