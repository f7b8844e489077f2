import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^wfk_[0-9A-Za-z]{38}$/;
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** A new key: `wfk_`, 32 random base62 characters (190 bits), and their CRC-32 (IEEE) as 6 base62 digits. */
export function newKeyText(): string {
  const body = Array.from({ length: BODY_LENGTH }, () => BASE62[randomInt(62)]).join('');
  return `wfk_${body}${checksum(body)}`;
}

/** Whether a text has a key's form and checksum: a mistyped or made-up one is refused without a query. */
export function isKeyText(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(4, 4 + BODY_LENGTH)) === text.slice(4 + BODY_LENGTH);
}

function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body); digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62)) {
    digits = BASE62[rest % 62]! + digits;
  }
  return digits;
}
