import { headerOf } from '../../hooks/inbound-headers.js';
import { type SignedPost } from './define-signature.js';
import { hmac, isDigest, isRecent } from './digests.js';

/** Whether a header holds `t=<time>,v1=<HMAC of time.body>`, with any number of `v1`, and the time is recent. */
export function hasTimedHmac(header: string, { headers, body, secret, now }: SignedPost): boolean {
  const items = (headerOf(headers, header) ?? '').split(',').map((item) => item.trim().split('=', 2));
  const valuesOf = (key: string) => items.filter(([name]) => name === key).map(([, value]) => value ?? '');
  const [time, ...otherTimes] = valuesOf('t');
  if (time === undefined || otherTimes.length > 0 || !isRecent(time, now)) return false;
  const digest = hmac('sha256', secret, `${time}.`, body);
  return valuesOf('v1').some((hex) => isDigest(hex, 'hex', digest));
}
