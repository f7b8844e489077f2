import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** The header of the signature, unless the trigger's config names another one. */
export const SIGNATURE_HEADER = 'X-Signature-256';

/** Whether a header is `sha256=` and the hex HMAC-SHA256 of the raw body (RFC 2104); compared in constant time. */
export function isSigned(body: Uint8Array, secret: string, header: string | undefined): boolean {
  const hex = SIGNATURE.exec(header ?? '')?.[1];
  if (hex === undefined) return false;
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}
