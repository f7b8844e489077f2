import { headerOf } from '../../hooks/inbound-headers.js';
import { type PlainSignature } from '../../../integrations/apps/app.js';
import { type SignedPost } from './define-signature.js';
import { hmac, isDigest } from './digests.js';

/** Whether a header holds a prefix and the HMAC of the raw body, the most common scheme. */
export function hasPlainHmac(
  { header, algorithm, encoding, prefix }: Omit<PlainSignature, 'scheme'>,
  { headers, body, secret }: SignedPost,
): boolean {
  const value = headerOf(headers, header);
  if (!value?.startsWith(prefix)) return false;
  return isDigest(value.slice(prefix.length), encoding, hmac(algorithm, secret, body));
}
