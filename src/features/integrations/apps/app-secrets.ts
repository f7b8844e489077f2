import { type App } from './app.js';

/** The client registered with an OAuth 2 provider. A public client has no secret (RFC 6749, 2.1). */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: string;
}

interface AppSecrets {
  readonly client?: OAuthClient;
  readonly signatureSecret?: string;
}

/** Kept outside the app objects, so that no copy, JSON, log or inspection of an app contains a secret. */
const kept = new WeakMap<App, AppSecrets>();

/** Stores the secrets of an app for the life of the app object. */
export function keepSecrets(app: App, secrets: AppSecrets): void {
  kept.set(app, secrets);
}

/** The secrets stored for this app object; empty for a copy of it. */
export function secretsOf(app: App): AppSecrets {
  return kept.get(app) ?? {};
}
