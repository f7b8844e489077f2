import { randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import { type SealContext, type Secrets } from '../../platform/encryption/secrets.js';

/** The secret of a webhook as Standard Webhooks writes it: 32 random bytes as base64 after `whsec_`. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** How long the secret before the present one signs too, so that receivers can change over; in milliseconds. */
export const OVERLAP_MS = 24 * 3_600_000;

/** What the sealed secrets of a webhook are bound to. */
export function webhookContext(accountId: string, uuid: string): SealContext {
  return { accountId, table: 'webhooks', id: uuid };
}

/** The sealed secrets of a webhook. */
export interface SealedSecrets {
  secret: string;
  previousSecret: string | null;
  previousUntil: Date | null;
}

/**
 * Those that sign at a moment, opened, the present one first; one of before that no key opens is left out.
 * @throws UnreadableError when the present one cannot be opened.
 */
export function secretsAt(now: Date, sealed: SealedSecrets, secrets: Secrets, context: SealContext): string[] {
  const { secret, previousSecret, previousUntil } = sealed;
  const overlaps = previousSecret !== null && previousUntil !== null && previousUntil > now;
  const previous = overlaps ? secrets.tryOpen(previousSecret, context) : null;
  return [secrets.open(secret, context), ...(previous === null ? [] : [previous])];
}

/** The three headers of Standard Webhooks for a message; several secrets make several signatures. */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, at, body)).join(' '),
  };
}
