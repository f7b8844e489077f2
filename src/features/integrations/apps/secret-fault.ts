import { type App } from './app.js';

/** The required form of a Standard Webhooks secret, as the end of a sentence. */
export const STANDARD_SECRET = 'must be base64 after whsec_';

/** Whether a text has the form of a Standard Webhooks secret. */
export function isStandardSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** Why a text can't be the secret of an app's events, as the end of a sentence; undefined for a valid secret. */
export function secretFault({ eventSource }: App, secret: string): string | undefined {
  const isStandard = eventSource?.signature?.scheme === 'standard_webhooks';
  return isStandard && !isStandardSecret(secret) ? STANDARD_SECRET : undefined;
}
