/** Someone who has an account at the sandbox application. */
export interface SandboxAccount {
  id: string;
  name: string;
  email?: string;
}

/** Whom the consent page offers; two, so that reconnecting as somebody else can be tried. */
export const ACCOUNTS: readonly SandboxAccount[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@sandbox.example' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@sandbox.example' },
];

/** The account behind the one API key that the sandbox takes. */
export const KEY_OWNER: SandboxAccount = { id: 'key-owner', name: 'Sandbox key owner' };

/** The API key of `sandbox_api_key`: no secret, it opens nothing but the sandbox. */
export const SANDBOX_KEY = 'sandbox_valid_key';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** How long access tokens live, in seconds, the default first: over in a moment, around the 7-day notice, beyond it. */
export const LIFETIMES: readonly { seconds: number; label: string }[] = [
  { seconds: HOUR, label: 'an hour' },
  { seconds: 20, label: '20 seconds' },
  { seconds: 8 * DAY, label: '8 days' },
  { seconds: 60 * DAY, label: '60 days' },
];

/** Seconds that a refresh token lives; not stated in token answers. */
export const REFRESH_LIFETIME = 90 * DAY;

/** What the sandbox lets a client ask for. */
export const SCOPES = ['contacts.read', 'contacts.write'] as const;

/** The one client, a public one: PKCE protects it (RFC 9700, 2.1.1). */
export const CLIENT_ID = 'sandbox';
