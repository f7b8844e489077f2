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
  { name: 'BASE_URL', default: 'http://localhost:$PORT', about: 'The public URL, without a trailing slash.' },
  { name: 'CORS_ORIGINS', default: '', about: 'Origins, comma-separated, whose pages may call with a key.' },
  { name: 'DATABASE_URL', default: '', about: 'postgres://… of any PostgreSQL ≥ 14. Absent: the embedded one.' },
  {
    name: 'DATABASE_DIRECT_URL',
    default: '',
    about: 'The address of PostgreSQL itself if DATABASE_URL is that of a pooler in transaction mode.',
  },
  {
    name: 'DATABASE_PREPARED',
    default: 'on',
    about: 'off: no prepared statements, for a pooler that loses them.',
  },
  { name: 'DATABASE_POOL', default: '10', about: 'The maximum of database connections of each process, 2 to 200.' },
  { name: 'DATA_DIR', default: './data', about: 'Where the embedded database and its encryption key live.' },
  { name: 'ROLES', default: 'api,worker', about: 'The roles of the service here: api, worker or both.' },
  {
    name: 'PROCESSES',
    default: '1',
    about: 'The processes that share the port and these roles, 1 to 64; auto: as many as the machine has cores.',
  },
  {
    name: 'ENCRYPTION_KEY',
    default: '',
    about:
      '32 bytes in base64; several, comma-separated, newest first. Required with DATABASE_URL; else created at first start.',
  },
  { name: 'APPS_FILE', default: '', about: "A JSON file with the operator's own integration types." },
  {
    name: 'SMTP_URL',
    default: '',
    about: 'The smtp:// or smtps:// URL for sending mails. Absent: each mail is written to the log.',
  },
  {
    name: 'MAIL_FROM',
    default: '',
    about: 'The sender of mails: an address, or `Name <address>`. Absent: no-reply at the host of BASE_URL.',
  },
  {
    name: 'MAIL_LIMIT',
    default: '1000',
    about: 'The maximum of mails from steps of one account per day (UTC), counted by recipient.',
  },
  {
    name: 'STORED_LIMIT_MB',
    default: '10000',
    about:
      'The megabytes that runs, events and requests of one account may store in a day, and again in the course of each further day; 0: no limit.',
  },
  {
    name: 'OIDC_ISSUER',
    default: '',
    about: 'The OpenID Connect issuer for sign-in, e.g. https://accounts.google.com.',
  },
  {
    name: 'OIDC_CLIENT_ID',
    default: '',
    about: 'The client id at the issuer; its redirect URI is $BASE_URL/auth/oidc/callback.',
  },
  { name: 'OIDC_CLIENT_SECRET', default: '', about: 'The client secret at the issuer.' },
  { name: 'OIDC_NAME', default: '', about: 'The name of the issuer on the sign-in page. Absent: its host.' },
  { name: 'CONTACT_EMAIL', default: '', about: 'The recipient of mails about an account without users.' },
  { name: 'RATE_LIMITS', default: 'on', about: 'off switches all rate limits off.' },
  {
    name: 'RATE_LIMIT_READ',
    default: '100',
    about: 'Reads per second and key, in bursts of twice as many; per machine.',
  },
  { name: 'RATE_LIMIT_WRITE', default: '100', about: 'Writes per second and key, likewise.' },
  {
    name: 'RATE_LIMIT_SUBSCRIBE',
    default: '200',
    about: 'Subscriptions per second and key over WebSocket, likewise; further ones wait up to 30 s.',
  },
  { name: 'RATE_LIMIT_HOOK', default: '100', about: 'Posts per second and inbound hook, likewise.' },
  { name: 'RATE_LIMIT_HOOK_BYTES', default: '10485760', about: 'Bytes per second and inbound hook, likewise.' },
  {
    name: 'TRUST_PROXY',
    default: '0',
    about: "The number of trusted proxies before the service, for the client's address in X-Forwarded-For.",
  },
  {
    name: 'ALLOW_PRIVATE_NETWORK',
    default: 'false',
    about:
      'Whether URLs of users may lead into private networks. false: to this machine only, while BASE_URL does; not in production.',
  },
  { name: 'METRICS_TOKEN', default: '', about: 'Bearer token for /metrics. Absent: open, and 404 in production.' },
  { name: 'RUN_RETENTION_DAYS', default: '90', about: 'The minimum retention of runs in days, 30 to 3650.' },
  { name: 'DRAIN_DELAY', default: '1500', about: 'Milliseconds between “not ready” and closing the port, 0 to 20000.' },
  {
    name: 'DRAIN_IDLE',
    default: '12000',
    about: 'Milliseconds that idle connections stay open after the port is closed, 0 to 15000.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    about: 'The http(s):// address of an OpenTelemetry collector, e.g. http://localhost:4318. Absent: no traces.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    default: '',
    about: 'The whole address for traces, e.g. http://localhost:4318/v1/traces, instead of the one above.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    default: 'http/protobuf',
    about: 'The protocol of the collector; no other value is supported.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    default: '',
    about: 'The same for traces alone, instead of the one above. Absent: as above.',
  },
  {
    name: 'OTEL_TRACES_EXPORTER',
    default: 'otlp',
    about: 'otlp; none switches traces off.',
  },
  {
    name: 'OTEL_TRUST_INBOUND',
    default: 'false',
    about: 'Whether posts to hooks, events and callbacks continue the trace of their header `traceparent`.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER',
    default: 'parentbased_always_on',
    about: 'Which traces are sampled, e.g. parentbased_traceidratio.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '',
    about: 'The share of sampled traces for the samplers by ratio, 0 to 1. Absent: 1.',
  },
  {
    name: 'OTEL_BSP_MAX_QUEUE_SIZE',
    default: '2048',
    about: 'The maximum of finished spans that wait for the collector; further ones are dropped.',
  },
  {
    name: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    default: '512',
    about: 'The maximum of spans in one request to the collector.',
  },
  {
    name: 'OTEL_BSP_SCHEDULE_DELAY',
    default: '5000',
    about: 'Milliseconds between two requests to the collector.',
  },
  {
    name: 'OTEL_BSP_EXPORT_TIMEOUT',
    default: '30000',
    about: 'The timeout of a request to the collector in milliseconds.',
  },
  {
    name: 'OTEL_SDK_DISABLED',
    default: 'false',
    about: 'true switches traces off.',
  },
  { name: 'LOG_LEVEL', default: 'info', about: 'debug, info, warn, error or silent.' },
  { name: 'NODE_ENV', default: 'development', about: 'production switches the sandbox apps off.' },
] as const satisfies Variable[];

/** The name of a listed variable. */
export type VariableName = (typeof VARIABLES)[number]['name'];
