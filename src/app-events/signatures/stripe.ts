import { headerOf } from '../../hooks/inbound-headers.js';
import { defineSignature } from './define-signature.js';
import { hmac, isDigest, isRecent } from './digests.js';

/** `t=<time>,v1=<HMAC of time.body>`, a v1 for each secret in use: https://docs.stripe.com/webhooks#verify-manually */
export const stripe = defineSignature({
  scheme: 'stripe',
  isSigned({ headers, body, secret, now }) {
    const items = (headerOf(headers, 'stripe-signature') ?? '').split(',').map((item) => item.trim().split('=', 2));
    const valuesOf = (key: string) => items.filter(([name]) => name === key).map(([, value]) => value ?? '');
    const [time, ...otherTimes] = valuesOf('t');
    if (time === undefined || otherTimes.length > 0 || !isRecent(time, now)) return false;
    const digest = hmac('sha256', secret, `${time}.`, body);
    return valuesOf('v1').some((hex) => isDigest(hex, 'hex', digest));
  },
});
