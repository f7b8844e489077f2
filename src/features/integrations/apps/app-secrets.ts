import { type App } from './app.js';

/** The client registered at an OAuth 2 provider; no secret for a public client (RFC 6749, 2.1). */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: string;
}

interface AppSecrets {
  readonly client?: OAuthClient;
  readonly signatureSecret?: string;
}

/** Beside the apps, not in them: no copy, JSON, log or inspection of an app can carry what is here. */
const kept = new WeakMap<App, AppSecrets>();

/** Remembers what belongs to an app for as long as the app lives. */
export function keepSecrets(app: App, secrets: AppSecrets): void {
  kept.set(app, secrets);
}

/** What was kept for this very app object; empty for a copy of it. */
export function secretsOf(app: App): AppSecrets {
  return kept.get(app) ?? {};
}
