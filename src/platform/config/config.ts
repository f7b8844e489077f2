import { isLoopback } from '../http/outbound/addresses.js';
import { type Environment, type Mailbox, Reader } from './reader.js';
import { isMailAddress } from '../mail/mail-address.js';
import { type TracingSettings, tracingSettings } from './tracing-settings.js';

/** A part of the service that a process runs: `api` serves requests, `worker` executes runs and jobs. */
export type Role = 'api' | 'worker';

/** Every setting, validated and frozen. It holds no secret and may be logged. */
export interface Config {
  readonly port: number;
  readonly baseUrl: string;
  readonly corsOrigins: readonly string[];
  readonly databasePool: number;
  /** Whether statements are prepared under names. */
  readonly databasePrepared: boolean;
  readonly dataDir: string;
  readonly roles: ReadonlySet<Role>;
  /** The processes of the service on this machine. */
  readonly processes: number;
  /** Per second; undefined: no limits. */
  readonly rateLimits: Readonly<Record<'read' | 'write' | 'subscribe' | 'hook' | 'hookBytes', number>> | undefined;
  /** The number of trusted proxies in front of the service. */
  readonly proxies: number;
  readonly allowPrivateNetwork: boolean;
  /** True on a developer's machine: users' URLs may point to that machine. */
  readonly allowLoopback: boolean;
  readonly runRetentionDays: number;
  /** Both in milliseconds. */
  readonly drainDelay: number;
  readonly drainIdle: number;
  readonly mail: {
    readonly from: Mailbox;
    /** The recipient of mails about an account without users. */
    readonly contact: string | undefined;
    /** The maximum of recipients that the steps of one account may mail in a day. */
    readonly limit: number;
  };
  /** The megabytes that one account may store in a day; 0: no limit. */
  readonly storedLimit: number;
  readonly logLevel: string;
  /** Undefined: no traces. */
  readonly tracing: TracingSettings | undefined;
  readonly production: boolean;
}

/** The OpenID Connect issuer for sign-in, and the credentials of the service as its client. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name shown on the sign-in page. */
  readonly name: string;
}

/** The settings that must not be logged, separate from `Config` so that they cannot be logged by accident. */
export interface ConfigSecrets {
  readonly databaseUrl: string | undefined;
  /** The address past a pooler; undefined: `databaseUrl`. */
  readonly databaseDirectUrl: string | undefined;
  readonly encryptionKeys: readonly Buffer[];
  readonly metricsToken: string | undefined;
  /** An `smtp:` or `smtps:` URL, perhaps with a password. */
  readonly smtpUrl: string | undefined;
  /** The text of APPS_FILE, which may hold client secrets. */
  readonly appsFile: string | undefined;
  /** Undefined: users sign in by password only. */
  readonly oidc: OidcSettings | undefined;
  /** OAuth clients of built-in apps, by the upper-case type: `<TYPE>_CLIENT_ID`, `<TYPE>_CLIENT_SECRET`. */
  readonly clients: ReadonlyMap<string, { clientId: string; clientSecret: string }>;
  /** The secrets that sign all events of an application, by the upper-case type: `<TYPE>_SIGNING_SECRET`. */
  readonly signingSecrets: ReadonlyMap<string, string>;
}

/** The validated configuration in its two parts. */
export interface LoadedConfig {
  config: Config;
  secrets: ConfigSecrets;
}

const NOTHING_READ = { appsFile: undefined, signingSecrets: new Map<string, string>() };

/**
 * Thrown with all errors of the configuration at once; each is a line that names its remedy. The process exits with 78
 * (EX_CONFIG).
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly faults: readonly string[],
    /** Settings that are validated later, with the applications, whose errors belong to the same report. */
    readonly read: Pick<ConfigSecrets, 'appsFile' | 'signingSecrets'> = NOTHING_READ,
  ) {
    super(faults.join('\n'));
  }
}

/** Validates the environment. @throws ConfigError with all errors. */
export function loadConfig(env: Environment = process.env): LoadedConfig {
  const read = new Reader(env);
  const port = read.integer('PORT', 1, 65_535);
  const databaseUrl = read.optional('DATABASE_URL', isPostgresUrl, 'a postgres:// address');
  const databaseDirectUrl = read.optional('DATABASE_DIRECT_URL', isPostgresUrl, 'a postgres:// address');
  if (databaseDirectUrl !== undefined && isPostgresUrl(databaseDirectUrl) && !read.isSet('DATABASE_URL'))
    read.fault('DATABASE_DIRECT_URL', 'needs DATABASE_URL too');
  const baseUrl = read.url('BASE_URL', `http://localhost:${port}`);
  const production = read.text('NODE_ENV') === 'production';
  const config: Config = {
    port,
    baseUrl,
    corsOrigins: read.list('CORS_ORIGINS', isOrigin, 'origins such as https://app.example'),
    databasePrepared: read.oneOf('DATABASE_PREPARED', ['on', 'off']) === 'on',
    databasePool: read.integer('DATABASE_POOL', 2, 200),
    dataDir: read.text('DATA_DIR'),
    roles: new Set(read.list('ROLES', isRole, 'api, worker or api,worker')),
    processes: read.processes('PROCESSES', 64),
    rateLimits: rateLimits(read),
    proxies: read.integer('TRUST_PROXY', 0, 10),
    allowPrivateNetwork: read.oneOf('ALLOW_PRIVATE_NETWORK', ['true', 'false']) === 'true',
    // In production a loopback BASE_URL is one that was forgotten.
    allowLoopback: !production && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname),
    runRetentionDays: read.integer('RUN_RETENTION_DAYS', 30, 3_650),
    drainDelay: read.integer('DRAIN_DELAY', 0, 20_000),
    drainIdle: read.integer('DRAIN_IDLE', 0, 15_000),
    mail: {
      from: read.mailbox('MAIL_FROM', `no-reply@${hostOf(baseUrl)}`),
      contact: read.optional('CONTACT_EMAIL', isMailAddress, 'one mail address'),
      limit: read.integer('MAIL_LIMIT', 0, 1_000_000_000),
    },
    storedLimit: read.integer('STORED_LIMIT_MB', 0, 1_000_000_000),
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']),
    tracing: tracingSettings(read),
    production,
  };
  const secrets: ConfigSecrets = {
    databaseUrl,
    databaseDirectUrl,
    encryptionKeys: read.keys('ENCRYPTION_KEY', databaseUrl !== undefined),
    metricsToken: read.optional('METRICS_TOKEN', () => true, 'a text'),
    smtpUrl: read.optional('SMTP_URL', isSmtpUrl, 'smtp://user:password@host:port or smtps://…'),
    appsFile: read.file('APPS_FILE'),
    oidc: oidc(read),
    clients: read.clients(),
    signingSecrets: read.signingSecrets(),
  };
  if (read.faults.length > 0) throw new ConfigError(read.faults, secrets);
  return { config: Object.freeze(config), secrets: Object.freeze(secrets) };
}

function rateLimits(read: Reader): Config['rateLimits'] {
  const limits = {
    read: read.integer('RATE_LIMIT_READ', 1, 1_000_000),
    write: read.integer('RATE_LIMIT_WRITE', 1, 1_000_000),
    subscribe: read.integer('RATE_LIMIT_SUBSCRIBE', 1, 1_000_000),
    hook: read.integer('RATE_LIMIT_HOOK', 1, 1_000_000),
    hookBytes: read.integer('RATE_LIMIT_HOOK_BYTES', 1, 2 ** 40),
  };
  return read.oneOf('RATE_LIMITS', ['on', 'off']) === 'on' ? limits : undefined;
}

/** Requires all of issuer, id and secret, or none. */
function oidc(read: Reader): OidcSettings | undefined {
  const issuer = read.optional('OIDC_ISSUER', isIssuer, 'the http or https address of an issuer');
  const clientId = read.optional('OIDC_CLIENT_ID', () => true, 'a text');
  const clientSecret = read.optional('OIDC_CLIENT_SECRET', () => true, 'a text');
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { issuer, clientId, clientSecret, name: read.text('OIDC_NAME') || hostOf(issuer) };
  }
  const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const names = Object.keys(given) as (keyof typeof given)[];
  if (names.some((name) => given[name] !== undefined)) {
    for (const name of names)
      if (given[name] === undefined) read.fault(name, 'needed for sign-in by OIDC, or none of the three');
  }
  return undefined;
}

function isIssuer(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).search === '' && new URL(text).hash === '';
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

function isSmtpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}

/** A host that is valid in a mail address; `localhost` for a bare IP address. */
function hostOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : 'localhost';
  return isMailAddress(`no-reply@${host}`) ? host : 'localhost';
}

function isOrigin(text: string): text is string {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
}

function isRole(text: string): text is Role {
  return text === 'api' || text === 'worker';
}
