import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Where the signature stands unless the trigger's config names another header. */
export const SIGNATURE_HEADER = 'X-Signature-256';

/** Whether a header is `sha256=<hex>` of the raw body's HMAC-SHA256 (RFC 2104); compared in constant time. */
export function isSigned(body: Uint8Array, secret: string, header: string | undefined): boolean {
  const hex = SIGNATURE.exec(header ?? '')?.[1];
  if (hex === undefined) return false;
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}
