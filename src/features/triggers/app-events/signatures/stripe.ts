import { defineSignature } from './define-signature.js';
import { hasTimedHmac } from './timed-hmac.js';

/** A v1 for each secret in use: https://docs.stripe.com/webhooks#verify-manually */
export const stripe = defineSignature({ scheme: 'stripe', isSigned: (post) => hasTimedHmac('stripe-signature', post) });
