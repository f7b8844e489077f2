import { type App } from './apps/app.js';
import { type AppRegistry } from './apps/registry.js';

/** True when what an application sends is proven with a secret that each integration has for itself. */
export function hasOwnEventsSecret(apps: AppRegistry, app: App): boolean {
  const { eventSource } = app;
  if (eventSource === null || apps.signatureSecretOf(app) !== undefined) return false;
  return eventSource.signature !== null || eventSource.handshake === 'meta';
}

/**
 * What proves an application's events: its one secret, else the integration's own, which are 32 random bytes, kept as
 * base64url. Standard Webhooks writes them as base64 behind `whsec_`; for everybody else the text itself is the secret.
 */
export function eventsSecretOf(apps: AppRegistry, app: App, own: string): string {
  const shared = apps.signatureSecretOf(app);
  if (shared !== undefined) return shared;
  if (app.eventSource?.signature?.scheme !== 'standard_webhooks') return own;
  return `whsec_${Buffer.from(own, 'base64url').toString('base64')}`;
}
