import { defineSignature } from './define-signature.js';
import { hasTimedHmac } from './timed-hmac.js';

/**
 * The same format as Stripe's, in another header:
 * https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures
 */
export const calendly = defineSignature({
  scheme: 'calendly',
  isSigned: (post) => hasTimedHmac('calendly-webhook-signature', post),
});
