import { isKeyText, newKeyText } from '../../src/features/api-keys/key-text.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 (IEEE 802.3), bit by bit, as the standard says: reflected, polynomial 0xEDB88320. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'ascii')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(number: number): string {
  const digits = [];
  for (let rest = BigInt(number); rest > 0n; rest /= 62n) digits.unshift(DIGITS[Number(rest % 62n)]);
  return digits.join('').padStart(6, '0');
}

const keyOf = (body: string) => `wfk_${body}${base62(crc32(body))}`;

describe('the checksum of this test', () => {
  it('is the CRC-32 of the standards', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
    expect(base62(0)).toBe('000000');
    expect(base62(61)).toBe('00000z');
    expect(base62(62)).toBe('000010');
    // The largest CRC still fits six digits.
    expect(base62(0xffffffff)).toBe('4gfFC3');
  });
});

describe('the text of a key', () => {
  it('is wfk_, 32 base62 characters and their CRC-32 in six base62 digits', () => {
    for (let i = 0; i < 200; i += 1) {
      const text = newKeyText();
      expect(text).toMatch(/^wfk_[0-9A-Za-z]{38}$/);
      expect(text).toBe(keyOf(text.slice(4, 36)));
      expect(isKeyText(text)).toBe(true);
    }
  });

  it('is different each time, and uses every character', () => {
    const texts = Array.from({ length: 300 }, () => newKeyText());
    expect(new Set(texts).size).toBe(300);
    expect(new Set(texts.flatMap((text) => Array.from(text.slice(4, 36)))).size).toBe(62);
  });

  it.each(['0'.repeat(32), 'z'.repeat(32), 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef', '01234567890123456789012345678901'])(
    'is known by its checksum: %s',
    (body) => {
      expect(isKeyText(keyOf(body))).toBe(true);
    },
  );

  it('is padded with 0 if the checksum is small', () => {
    const small = Array.from({ length: 500 }, (_, i) => String(i).padStart(32, 'a')).find((body) =>
      base62(crc32(body)).startsWith('0'),
    )!;
    expect(keyOf(small).slice(36, 37)).toBe('0');
    expect(isKeyText(keyOf(small))).toBe(true);
  });

  it('is refused if any one character differs, or two neighbours are swapped', () => {
    const text = newKeyText();
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'x' ? 'y' : 'x';
      expect(isKeyText(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
      const swapped = text.slice(0, at) + (text[at + 1] ?? '') + text[at]! + text.slice(at + 2);
      if (swapped !== text) expect(isKeyText(swapped)).toBe(false);
    }
  });

  it.each(['', 'wfk_', 'WFK_', ' ', '\n'])('is refused with %j around it', (extra) => {
    const text = keyOf('k'.repeat(32));
    for (const wrong of [text + extra, extra + text, text.slice(0, -1) + extra]) {
      if (wrong !== text) expect(isKeyText(wrong)).toBe(false);
    }
  });
});
