import { V7Generator } from 'uuidv7';
import { decodeSuffix, encodeSuffix } from './typeid.js';

/** The prefix of each kind of public id (https://github.com/jetify-com/typeid). */
export type IdPrefix =
  | 'wf'
  | 'int'
  | 'trg'
  | 'run'
  | 'key'
  | 'chg'
  | 'rch'
  | 'acc'
  | 'usr'
  | 'ses'
  | 'pk'
  | 'inv'
  | 'cs'
  | 'wh'
  | 'dlv'
  | 'wait'
  | 'wch'
  | 'evt'
  | 'bulk'
  | 'bch'
  | 'aud';

/** The largest UUID (RFC 9562, 5.10): every row is behind it in a list, newest first. */
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The smallest UUID (RFC 9562, 5.9): no row is behind it in a list, newest first. */
export const MIN_UUID = '00000000-0000-0000-0000-000000000000';

const generator = new V7Generator();

/**
 * A UUIDv7 (RFC 9562, 5.7) of this time. Those of one process ascend even within a millisecond, so rows sort by
 * creation. `timeOf` returns that time, and rows store it as `created_at` so that both orders agree.
 */
export function newUuid(now: Date): string {
  return generator.generateOrResetWithTs(now.getTime()).toString();
}

/** The time of a UUIDv7, to the millisecond. */
export function timeOf(uuid: string): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

/** The public id of a row by its UUID, e.g. `wf_01h…`. */
export function toPublicId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${encodeSuffix(uuid)}`;
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The UUID of a public id with that prefix; undefined when the id is ill-formed and so cannot name a row. */
export function fromPublicId(prefix: IdPrefix, id: string): string | undefined {
  const suffix = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
  return SUFFIX.test(suffix) ? decodeSuffix(suffix) : undefined;
}

/** The hexadecimal digits at the end of the UUID whose public id ends with these eight digits; undefined for other texts. */
export function idEnding(digits: string): string | undefined {
  return ENDING.test(digits) ? decodeSuffix(digits.padStart(26, '0')).slice(-ENDING_HEX) : undefined;
}

/** Eight digits of 5 bits are ten of 4. They lie behind the last hyphen of a UUID. */
const ENDING = /^[0-9a-hjkmnp-tv-z]{8}$/;
const ENDING_HEX = 10;
