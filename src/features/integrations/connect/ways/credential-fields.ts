import { type AuthKind } from '../../apps/app.js';

/** One of the credentials that a client sends to connect. */
export interface CredentialField {
  readonly name: string;
  readonly description: string;
  /** Whether it must not be shown while it is typed. */
  readonly secret: boolean;
}

/** The ways in a few words, for people. */
export const AUTH_WORDS: Readonly<Record<AuthKind, string>> = {
  oauth2: 'Sign in',
  api_key: 'API key',
};

/** The credentials of each way, as the keys of `credentials`. */
export const CREDENTIAL_FIELDS: Readonly<Record<AuthKind, readonly CredentialField[]>> = {
  oauth2: [],
  api_key: [{ name: 'api_key', description: 'API key', secret: true }],
};
