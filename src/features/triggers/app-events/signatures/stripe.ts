import { defineSignature } from './define-signature.js';
import { hasTimedHmac } from './timed-hmac.js';

/** `t=<time>` and a `v1` for each active secret: https://docs.stripe.com/webhooks#verify-manually */
export const stripe = defineSignature({ scheme: 'stripe', isSigned: (post) => hasTimedHmac('stripe-signature', post) });
