import { readFileSync } from 'node:fs';
import { VARIABLES, type VariableName } from './variables.js';

export type Role = 'api' | 'worker';

/** Every setting, judged and frozen. It holds no secret and may be logged. */
export interface Config {
  readonly port: number;
  readonly baseUrl: string;
  readonly corsOrigins: readonly string[];
  readonly databasePool: number;
  readonly dataDir: string;
  readonly roles: ReadonlySet<Role>;
  readonly allowPrivateNetwork: boolean;
  /** Milliseconds. */
  readonly drainDelay: number;
  readonly logLevel: string;
  readonly production: boolean;
}

/** What must not be logged; apart from the rest so that it can't be by accident. */
export interface ConfigSecrets {
  readonly databaseUrl: string | undefined;
  readonly encryptionKeys: readonly Buffer[];
  readonly metricsToken: string | undefined;
  /** The text of APPS_FILE, which may hold client secrets. */
  readonly appsFile: string | undefined;
  /** OAuth clients of built-in apps, by the upper-case type: `<TYPE>_CLIENT_ID`, `<TYPE>_CLIENT_SECRET`. */
  readonly clients: ReadonlyMap<string, { clientId: string; clientSecret: string }>;
}

export interface LoadedConfig {
  config: Config;
  secrets: ConfigSecrets;
}

/** Thrown with every fault at once, each a line that names its remedy. The process exits with 78 (EX_CONFIG). */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Judges the environment. @throws ConfigError with all that is wrong. */
export function loadConfig(env: Environment = process.env): LoadedConfig {
  const read = new Reader(env);
  const port = read.integer('PORT', 1, 65_535);
  const databaseUrl = read.optional('DATABASE_URL', isPostgresUrl, 'a postgres:// address');
  const config: Config = {
    port,
    baseUrl: read.url('BASE_URL', `http://localhost:${port}`),
    corsOrigins: read.list('CORS_ORIGINS', isOrigin, 'origins such as https://app.example'),
    databasePool: read.integer('DATABASE_POOL', 2, 200),
    dataDir: read.text('DATA_DIR'),
    roles: new Set(read.list('ROLES', isRole, 'api, worker or api,worker')),
    allowPrivateNetwork: read.oneOf('ALLOW_PRIVATE_NETWORK', ['true', 'false']) === 'true',
    drainDelay: read.integer('DRAIN_DELAY', 0, 20_000),
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']),
    production: read.text('NODE_ENV') === 'production',
  };
  if (config.roles.size === 0) read.fault('ROLES', 'expected api, worker or api,worker');
  const secrets: ConfigSecrets = {
    databaseUrl,
    encryptionKeys: read.keys('ENCRYPTION_KEY', databaseUrl !== undefined),
    metricsToken: read.optional('METRICS_TOKEN', () => true, 'a text'),
    appsFile: read.file('APPS_FILE'),
    clients: read.clients(),
  };
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return { config: Object.freeze(config), secrets: Object.freeze(secrets) };
}

class Reader {
  readonly faults: string[] = [];

  constructor(private readonly env: Environment) {}

  fault(name: string, problem: string): void {
    this.faults.push(`${name}: ${problem}.`);
  }

  /** An empty variable counts as absent, as shells and compose files make them. */
  text(name: VariableName): string {
    return this.env[name] || VARIABLES.find((variable) => variable.name === name)!.default;
  }

  integer(name: VariableName, min: number, max: number): number {
    const text = this.text(name);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      this.fault(name, `"${text}" is not a whole number from ${min} to ${max}`);
    }
    return value;
  }

  oneOf(name: VariableName, values: readonly string[]): string {
    const text = this.text(name);
    if (!values.includes(text)) this.fault(name, `"${text}" is none of ${values.join(', ')}`);
    return text;
  }

  list<T extends string>(name: VariableName, valid: (item: string) => item is T, expected: string): T[] {
    const items = this.text(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const good = items.filter(valid);
    if (good.length < items.length) this.fault(name, `expected ${expected}`);
    return good;
  }

  url(name: VariableName, absent: string): string {
    const text = (this.env[name] || absent).replace(/\/+$/, '');
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
      this.fault(name, `"${text}" is not an http or https address without query or fragment`);
    } else if (url.pathname !== '/') {
      this.fault(name, 'a path is not supported: give the service a host name of its own');
    }
    return text;
  }

  optional(name: VariableName, valid: (text: string) => boolean, expected: string): string | undefined {
    const text = this.env[name];
    if (!text) return undefined;
    // The value may be a secret: it is not repeated.
    if (!valid(text)) this.fault(name, `expected ${expected}`);
    return text;
  }

  keys(name: VariableName, required: boolean): Buffer[] {
    const texts = this.text(name)
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '');
    const keys = texts.map((text) => Buffer.from(text, 'base64'));
    if (keys.some((key, index) => key.length !== 32 || key.toString('base64') !== padded(texts[index]!))) {
      this.fault(name, 'each key must be 32 bytes in base64, e.g. of `openssl rand -base64 32`');
    }
    if (required && keys.length === 0) {
      this.fault(name, 'required with DATABASE_URL; make one with `openssl rand -base64 32` and keep it');
    }
    return keys;
  }

  file(name: VariableName): string | undefined {
    const path = this.env[name];
    if (!path) return undefined;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      this.fault(name, `cannot read "${path}" (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
      return undefined;
    }
  }

  clients(): Map<string, { clientId: string; clientSecret: string }> {
    const clients = new Map<string, { clientId: string; clientSecret: string }>();
    for (const [name, value] of Object.entries(this.env)) {
      const match = /^([A-Z0-9_]+)_CLIENT_(ID|SECRET)$/.exec(name);
      if (!match || !value) continue;
      const type = match[1]!;
      const other = this.env[`${type}_CLIENT_${match[2] === 'ID' ? 'SECRET' : 'ID'}`];
      if (!other) this.fault(name, `set ${type}_CLIENT_${match[2] === 'ID' ? 'SECRET' : 'ID'} too, or neither`);
      else
        clients.set(type, {
          clientId: this.env[`${type}_CLIENT_ID`]!,
          clientSecret: this.env[`${type}_CLIENT_SECRET`]!,
        });
    }
    return clients;
  }
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

function isOrigin(text: string): text is string {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
}

function isRole(text: string): text is Role {
  return text === 'api' || text === 'worker';
}

function padded(base64: string): string {
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
}
