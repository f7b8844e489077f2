import { textAt } from '../../../integrations/apps/text-at.js';
import { isSameSecret } from '../../../../platform/encryption/secrets.js';
import { defineSignature } from './define-signature.js';

/**
 * Figma does not sign: each body contains the webhook's `passcode`:
 * https://developers.figma.com/docs/rest-api/webhooks-security/
 */
export const figma = defineSignature({
  scheme: 'figma',
  isInBody: true,
  isSigned: ({ value, secret }) => isSameSecret(textAt(value, 'passcode') ?? '', secret),
  withoutProof(value) {
    const { passcode: _, ...rest } = value as Record<string, unknown>;
    return rest;
  },
});
