import { V7Generator } from 'uuidv7';
import { decodeSuffix, encodeSuffix } from './typeid.js';

/** The prefix of each kind of id that leaves the service (https://github.com/jetify-com/typeid). */
export type IdPrefix = 'wf' | 'int' | 'trg' | 'run' | 'key' | 'chg' | 'acc' | 'usr' | 'inv' | 'cs' | 'wh' | 'dlv';

const generator = new V7Generator();

/**
 * A UUIDv7 (RFC 9562, 5.7) of this moment. Those of one process ascend even within a millisecond, so rows sort by
 * creation; `timeOf` gives the moment back, and rows store that as `created_at` so that both orders agree.
 */
export function newUuid(now: Date): string {
  return generator.generateOrResetWithTs(now.getTime()).toString();
}

/** The moment a UUIDv7 was made, in milliseconds' precision. */
export function timeOf(uuid: string): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

/** `wf_01h…` for the UUID of a row. */
export function toPublicId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${encodeSuffix(uuid)}`;
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The UUID inside an id of that prefix, or undefined when it is ill-formed: such an id can't name anything. */
export function fromPublicId(prefix: IdPrefix, id: string): string | undefined {
  const suffix = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
  return SUFFIX.test(suffix) ? decodeSuffix(suffix) : undefined;
}
