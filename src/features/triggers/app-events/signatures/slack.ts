import { headerOf } from '../../hooks/inbound-headers.js';
import { defineSignature } from './define-signature.js';
import { hmac, isDigest, isRecent } from './digests.js';

/** `v0=` and the HMAC of `v0:<time>:<body>`: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const slack = defineSignature({
  scheme: 'slack',
  isSigned({ headers, body, secret, now }) {
    const time = headerOf(headers, 'x-slack-request-timestamp');
    const [, hex] = /^v0=(.+)$/.exec(headerOf(headers, 'x-slack-signature') ?? '') ?? [];
    if (hex === undefined || !isRecent(time, now)) return false;
    return isDigest(hex, 'hex', hmac('sha256', secret, `v0:${time}:`, body));
  },
});
