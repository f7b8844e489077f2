/** An account at the sandbox application. */
export interface SandboxAccount {
  id: string;
  name: string;
  email?: string;
}

/** The accounts on the consent page; two, so that reconnecting with another account can be tried. */
export const ACCOUNTS: readonly SandboxAccount[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@sandbox.example' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@sandbox.example' },
];

/** The account of `SANDBOX_KEY`. */
export const KEY_OWNER: SandboxAccount = { id: 'key-owner', name: 'Sandbox key owner' };

/** The only valid API key of `sandbox_api_key`. Not a secret: it gives access to the sandbox alone. */
export const SANDBOX_KEY = 'sandbox_valid_key';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Lifetimes of access tokens, in seconds, the default first. 20 s shows expiry, 8 days the 7-day notice. */
export const LIFETIMES: readonly { seconds: number; label: string }[] = [
  { seconds: HOUR, label: 'an hour' },
  { seconds: 20, label: '20 seconds' },
  { seconds: 8 * DAY, label: '8 days' },
  { seconds: 60 * DAY, label: '60 days' },
];

/** Lifetime of a refresh token, in seconds. Token responses do not state it. */
export const REFRESH_LIFETIME = 90 * DAY;

/** The scopes that a client may request. */
export const SCOPES = ['contacts.read', 'contacts.write'] as const;

/** The only client. It is public: PKCE protects it (RFC 9700, 2.1.1). */
export const CLIENT_ID = 'sandbox';
