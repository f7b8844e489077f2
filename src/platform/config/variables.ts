/** An environment variable and its purpose. A test compares the README's table and `.env.example` with this list. */
export interface Variable {
  name: string;
  default: string;
  about: string;
}

/**
 * Every environment variable that the service reads, except `<TYPE>_CLIENT_ID`, `<TYPE>_CLIENT_SECRET` and
 * `<TYPE>_SIGNING_SECRET`.
 */
export const VARIABLES = [
  { name: 'PORT', default: '4000', about: 'The port to listen on.' },
  { name: 'BASE_URL', default: 'http://localhost:$PORT', about: 'The public address, without a trailing slash.' },
  { name: 'CORS_ORIGINS', default: '', about: 'Origins, comma-separated, whose pages may call with a key.' },
  { name: 'DATABASE_URL', default: '', about: 'postgres://… of any PostgreSQL ≥ 14. Absent: the embedded one.' },
  { name: 'DATABASE_POOL', default: '10', about: 'The most database connections of this process, 2 to 200.' },
  { name: 'DATA_DIR', default: './data', about: 'Where the embedded database and its encryption key live.' },
  { name: 'ROLES', default: 'api,worker', about: 'What this process does: api, worker or both.' },
  {
    name: 'ENCRYPTION_KEY',
    default: '',
    about:
      '32 bytes in base64; several, comma-separated, newest first. Required with DATABASE_URL; else made at first start.',
  },
  { name: 'APPS_FILE', default: '', about: "A JSON file with the operator's own integration types." },
  {
    name: 'SMTP_URL',
    default: '',
    about: 'smtp:// or smtps:// address that mails are sent over. Absent: each mail is written to the log.',
  },
  {
    name: 'MAIL_FROM',
    default: '',
    about: 'Whom mails are from: an address, or `Name <address>`. Absent: no-reply at the host of BASE_URL.',
  },
  {
    name: 'MAIL_LIMIT',
    default: '1000',
    about: 'The most mails that the steps of one account may send on a day (UTC), counted by recipient.',
  },
  {
    name: 'OIDC_ISSUER',
    default: '',
    about: 'The issuer of OpenID Connect that users may sign in with, e.g. https://accounts.google.com.',
  },
  {
    name: 'OIDC_CLIENT_ID',
    default: '',
    about: 'Our client id there; its redirect URI is $BASE_URL/auth/oidc/callback.',
  },
  { name: 'OIDC_CLIENT_SECRET', default: '', about: 'Our client secret there.' },
  { name: 'OIDC_NAME', default: '', about: 'What the sign-in page calls the issuer. Absent: its host.' },
  { name: 'CONTACT_EMAIL', default: '', about: 'Who is written to about an account that has no users.' },
  { name: 'RATE_LIMITS', default: 'on', about: 'off switches all rate limits off.' },
  {
    name: 'RATE_LIMIT_READ',
    default: '100',
    about: 'Reads per second and key, in bursts of twice as many; per process.',
  },
  { name: 'RATE_LIMIT_WRITE', default: '100', about: 'Writes per second and key, likewise.' },
  {
    name: 'RATE_LIMIT_SUBSCRIBE',
    default: '200',
    about: 'Subscriptions per second and key that sockets begin, likewise; more wait up to 30 s for their turn.',
  },
  { name: 'RATE_LIMIT_HOOK', default: '100', about: 'Posts per second and inbound hook, likewise.' },
  { name: 'RATE_LIMIT_HOOK_BYTES', default: '10485760', about: 'Bytes per second and inbound hook, likewise.' },
  {
    name: 'TRUST_PROXY',
    default: '0',
    about: "How many proxies of yours stand before the service: so X-Forwarded-For is read for the client's address.",
  },
  {
    name: 'ALLOW_PRIVATE_NETWORK',
    default: 'false',
    about: 'Whether addresses that users supply may be private ones.',
  },
  { name: 'METRICS_TOKEN', default: '', about: 'Bearer token for /metrics. Absent: open, and 404 in production.' },
  { name: 'RUN_RETENTION_DAYS', default: '90', about: 'How long runs are kept at least, in days, 30 to 3650.' },
  { name: 'DRAIN_DELAY', default: '1500', about: 'Milliseconds between “not ready” and closing the port, 0 to 20000.' },
  { name: 'LOG_LEVEL', default: 'info', about: 'debug, info, warn, error or silent.' },
  { name: 'NODE_ENV', default: 'development', about: 'production switches the sandbox apps off.' },
] as const satisfies Variable[];

/** The name of a listed variable. */
export type VariableName = (typeof VARIABLES)[number]['name'];
