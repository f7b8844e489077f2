import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKED = /^[0-9A-Za-z]{38}$/;
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** A new key: `wfk_` and a text with a checksum. */
export function newKeyText(): string {
  return `wfk_${newCheckedText()}`;
}

/** Whether a text has the form and checksum of a key, so that a mistyped or made-up key is refused without a query. */
export function isKeyText(text: string): boolean {
  return text.startsWith('wfk_') && isCheckedText(text.slice(4));
}

/** A new token of a connect session: `wfs_` and a text with a checksum. */
export function newSessionText(): string {
  return `wfs_${newCheckedText()}`;
}

/** Whether a text has the form and checksum of a connect session's token. */
export function isSessionText(text: string): boolean {
  return text.startsWith('wfs_') && isCheckedText(text.slice(4));
}

/** 32 random base62 characters (190 bits), and their CRC-32 (IEEE) as 6 base62 digits. */
export function newCheckedText(): string {
  const body = Array.from({ length: BODY_LENGTH }, () => BASE62[randomInt(62)]).join('');
  return body + checksum(body);
}

/** Whether a text has the form of `newCheckedText` and ends with the checksum of its first 32 characters. */
export function isCheckedText(text: string): boolean {
  return CHECKED.test(text) && checksum(text.slice(0, BODY_LENGTH)) === text.slice(BODY_LENGTH);
}

function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body); digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62)) {
    digits = BASE62[rest % 62]! + digits;
  }
  return digits;
}
