import { defineSignature } from './define-signature.js';
import { hasPlainHmac } from './plain-hmac.js';

const HEADER = { header: 'X-Hub-Signature-256', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' } as const;

/**
 * `sha256=` and the HMAC of the body: https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export const github = defineSignature({ scheme: 'github', isSigned: (post) => hasPlainHmac(HEADER, post) });
