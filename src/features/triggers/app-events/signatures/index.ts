import { type Signature, type SignatureScheme } from '../../../integrations/apps/app.js';
import { type SignatureDefinition, type SignedPost } from './define-signature.js';
import { calendly } from './calendly.js';
import { figma } from './figma.js';
import { github } from './github.js';
import { pagerduty } from './pagerduty.js';
import { hasPlainHmac } from './plain-hmac.js';
import { slack } from './slack.js';
import { standard_webhooks } from './standard-webhooks.js';
import { stripe } from './stripe.js';

/** Schemes with a fixed header, algorithm and encoding, by name. */
export const signatureSchemes: { readonly [S in SignatureScheme]: SignatureDefinition & { scheme: S } } = {
  github,
  slack,
  stripe,
  standard_webhooks,
  calendly,
  pagerduty,
  figma,
};

/** Whether the proof of a post stands in its body, which must be parsed to find it. */
export function isInBody(signature: Signature | null): boolean {
  return signature?.scheme !== undefined && signatureSchemes[signature.scheme].isInBody === true;
}

/** Whether a post has a valid signature of the kind that its app declares. */
export function isSignedAs(signature: Signature, post: SignedPost): boolean {
  if (signature.scheme === undefined) return hasPlainHmac(signature, post);
  return signatureSchemes[signature.scheme].isSigned(post);
}
