import { createHmac, randomBytes } from 'node:crypto';
import { type SealContext, type Secrets } from '../../platform/encryption/secrets.js';

/** Before the base64 of a secret, in the format of Standard Webhooks. */
const PREFIX = 'whsec_';

/** Generates a secret in the format of Standard Webhooks: `whsec_` and 32 random bytes as base64. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/** How long a former secret also signs, so that receivers can switch; in milliseconds. */
export const OVERLAP_MS = 24 * 3_600_000;

/** The seal context of a webhook's secrets. */
export function webhookContext(accountId: string, uuid: string): SealContext {
  return { accountId, table: 'webhooks', id: uuid };
}

/** The most former secrets that also sign: each for its own time, however often the secret is rotated. */
export const MAX_FORMER_SECRETS = 4;

/** The sealed secrets of a webhook. */
export interface SealedSecrets {
  secret: string;
  /** Newest first; each signs until its end. */
  formerSecrets: readonly { secret: string; until: Date }[];
}

/**
 * The opened secrets that sign at `now`, the current one first. A former one that cannot be opened is left out.
 * @throws UnreadableError if the current one cannot be opened.
 */
export function secretsAt(
  now: Date,
  { secret, formerSecrets }: SealedSecrets,
  secrets: Secrets,
  context: SealContext,
): string[] {
  const former = formerSecrets.filter(({ until }) => until > now).map((one) => secrets.tryOpen(one.secret, context));
  return [secrets.open(secret, context), ...former.filter((opened) => opened !== null)];
}

/**
 * The three headers of Standard Webhooks for a message, with one signature per secret. The library `standardwebhooks` hashes
 * in JavaScript, which blocks the event loop for 8 ms at 1 MB; the tests verify with it.
 */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const time = String(Math.floor(at.getTime() / 1_000));
  const signature = (secret: string): string => {
    const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')}`;
  };
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': secrets.map(signature).join(' ') };
}
