import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_MS = 5 * 60_000;
const SHAPE = { hex: /^(?:[0-9a-f]{2})+$/i, base64: /^[A-Za-z0-9+/]+={0,2}$/ };

/** HMAC (RFC 2104) of the concatenated parts. */
export function hmac(algorithm: string, key: string | Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const digest = createHmac(algorithm, key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** Whether a text is the encoded digest; compared in constant time. */
export function isDigest(text: string, encoding: 'hex' | 'base64', digest: Uint8Array): boolean {
  if (!SHAPE[encoding].test(text)) return false;
  const given = Buffer.from(text, encoding);
  return given.length === digest.length && timingSafeEqual(given, digest);
}

/** Whether a Unix time in whole seconds is at most five minutes before or after `now`. */
export function isRecent(seconds: string | undefined, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds ?? '') && Math.abs(Number(seconds) * 1_000 - now.getTime()) <= TOLERANCE_MS;
}
