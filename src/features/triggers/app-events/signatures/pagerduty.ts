import { headerOf } from '../../hooks/inbound-headers.js';
import { defineSignature } from './define-signature.js';
import { hmac, isDigest } from './digests.js';

/**
 * `v1=<HMAC of the body>`, one for each active secret:
 * https://developer.pagerduty.com/docs/verifying-webhook-signatures
 */
export const pagerduty = defineSignature({
  scheme: 'pagerduty',
  isSigned({ headers, body, secret }) {
    const digest = hmac('sha256', secret, body);
    const signatures = (headerOf(headers, 'x-pagerduty-signature') ?? '').split(',').map((one) => one.trim());
    return signatures.some((one) => one.startsWith('v1=') && isDigest(one.slice('v1='.length), 'hex', digest));
  },
});
