import { headerOf } from '../../hooks/inbound-headers.js';
import { defineSignature } from './define-signature.js';
import { hmac, isDigest, isRecent } from './digests.js';

/**
 * `v1,` and the HMAC of `id.time.body`, several separated by spaces: https://www.standardwebhooks.com. Svix, where the
 * standard comes from, uses header names of its own: https://docs.svix.com/receiving/verifying-payloads/how-manual
 */
export const standard_webhooks = defineSignature({
  scheme: 'standard_webhooks',
  isSigned({ headers, body, secret, now }) {
    const prefix = headerOf(headers, 'webhook-id') === undefined ? 'svix' : 'webhook';
    const id = headerOf(headers, `${prefix}-id`);
    const time = headerOf(headers, `${prefix}-timestamp`);
    if (!id || !isRecent(time, now)) return false;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const digest = hmac('sha256', key, `${id}.${time}.`, body);
    const signatures = (headerOf(headers, `${prefix}-signature`) ?? '').split(' ');
    return signatures.some((one) => one.startsWith('v1,') && isDigest(one.slice('v1,'.length), 'base64', digest));
  },
});
