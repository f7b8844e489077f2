import { describe, expect, it } from '@jest/globals';
import { isMailAddress } from '../../src/platform/mail/mail-address.js';

describe('a mail address', () => {
  it.each([
    ['ada@example.com', true],
    ['ada@localhost', true],
    ['ada', false],
    // Half of a surrogate pair.
    ['\ud800@example.com', false],
    ['ada@\ud800.com', false],
  ])('%j: %j', (text, is) => {
    expect(isMailAddress(text)).toBe(is);
  });
});
