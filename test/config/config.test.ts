import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ConfigError, loadConfig } from '../../src/platform/config/config.js';
import { VARIABLES } from '../../src/platform/config/variables.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const isAllowed = (allowed: boolean) => (url: string) => [allowed, { BASE_URL: url }];

describe('loadConfig', () => {
  it('has a default for every variable', () => {
    const { config, secrets } = loadConfig({});
    expect(config).toMatchObject({
      port: 4000,
      baseUrl: 'http://localhost:4000',
      dataDir: './data',
      production: false,
    });
    expect([...config.roles]).toEqual(['api', 'worker']);
    expect(secrets).toMatchObject({ databaseUrl: undefined, encryptionKeys: [], metricsToken: undefined });
  });

  it('starts as many processes as named, or as the machine has cores', () => {
    const counts = ['', '1', '64', 'auto'].map((PROCESSES) => loadConfig({ PROCESSES }).config.processes);
    expect(counts).toEqual([1, 1, 64, Math.min(64, availableParallelism())]);
    expect(faultsOf({ PROCESSES: '65' })).toEqual(['PROCESSES: "65" is neither auto nor a whole number from 1 to 64.']);
  });

  it('treats an empty variable as absent', () => {
    expect(loadConfig({ PORT: '', ROLES: '', DATABASE_URL: '' }).config.port).toBe(4000);
  });

  it('reports all errors at once, each with its remedy', () => {
    expect(faultsOf({ PORT: '70000', ROLES: 'api,king', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://db/x' })).toEqual([
      'PORT: "70000" is not a whole number from 1 to 65535.',
      'ROLES: expected api, worker or api,worker.',
      'LOG_LEVEL: "loud" is none of debug, info, warn, error, silent.',
      'ENCRYPTION_KEY: required with DATABASE_URL; make one with `openssl rand -base64 32` and keep it.',
    ]);
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '80.5'],
    ['PORT', '4000x'],
    ['BASE_URL', 'localhost:4000'],
    ['BASE_URL', 'ftp://x'],
    ['BASE_URL', 'https://x/?a=1'],
    ['BASE_URL', 'https://x/path'],
    ['CORS_ORIGINS', 'https://x/'],
    ['CORS_ORIGINS', '*'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_POOL', '1'],
    ['DATABASE_PREPARED', 'maybe'],
    ['DATABASE_DIRECT_URL', 'mysql://x'],
    ['ROLES', ','],
    ['PROCESSES', '0'],
    ['PROCESSES', '65'],
    ['PROCESSES', '1.5'],
    ['PROCESSES', 'all'],
    ['ENCRYPTION_KEY', 'c2hvcnQ='],
    ['ENCRYPTION_KEY', `${KEY},x`],
    ['ALLOW_PRIVATE_NETWORK', 'yes'],
    ['TRUST_PROXY', 'true'],
    ['DRAIN_DELAY', '-1'],
    ['APPS_FILE', '/does/not/exist.json'],
    ['GITHUB_CLIENT_ID', 'x'],
    ['SMTP_URL', 'mail.example:25'],
    ['SMTP_URL', 'https://mail.example'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://user:100%@mail.example'],
    ['MAIL_FROM', 'Workflows'],
    ['MAIL_FROM', 'Workflows <no address>'],
    ['MAIL_FROM', 'a@x.test, b@x.test'],
    ['MAIL_FROM', 'Evil\r\nBcc: b@x.test <a@x.test>'],
    ['CONTACT_EMAIL', 'a@x.test,b@x.test'],
    ['OTEL_TRACES_EXPORTER', 'console'],
    ['OTEL_TRACES_EXPORTER', 'otlp,console'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
  ])('refuses %s=%s', (name, value) => {
    const faults = faultsOf({ [name]: value, ...(name === 'DATABASE_URL' ? { ENCRYPTION_KEY: KEY } : {}) });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });

  it('traces with an address of a collector, unless they are switched off', () => {
    const isOn = (env: Record<string, string>) => loadConfig(env).config.tracing !== undefined;
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318';
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`;
    expect(isOn({})).toBe(false);
    expect(isOn({ OTEL_EXPORTER_OTLP_ENDPOINT })).toBe(true);
    expect(isOn({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT })).toBe(true);
    expect(isOn({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'otlp' })).toBe(true);
    expect(isOn({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBe(false);
    expect(isOn({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBe(false);
    // The protocol of the traces wins over that of all signals.
    const [OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL] = ['grpc', 'http/protobuf'];
    const protocols = { OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL };
    expect(isOn({ OTEL_EXPORTER_OTLP_ENDPOINT, ...protocols })).toBe(true);
  });

  it.each([
    [true, {}],
    ...['http://localhost:5173', 'http://LOCALHOST.', 'https://app.localhost', 'http://127.1:80'].map(isAllowed(true)),
    ...['http://[::1]:4000', 'http://[::ffff:127.0.0.1]'].map(isAllowed(true)),
    ...['https://flows.example', 'http://localhost.example', 'http://0.0.0.0:4000'].map(isAllowed(false)),
    ...['http://[::]', 'http://192.168.1.5', 'http://10.0.0.1', 'http://flows.internal'].map(isAllowed(false)),
    [false, { NODE_ENV: 'production' }],
    [false, { NODE_ENV: 'production', BASE_URL: 'http://localhost:4000' }],
  ] as [boolean, Record<string, string>][])('lets users’ URLs lead to this machine: %s for %j', (allowed, env) => {
    expect(loadConfig(env).config).toMatchObject({ allowLoopback: allowed, allowPrivateNetwork: false });
  });

  it('does not repeat a secret in an error', () => {
    const text = faultsOf({
      DATABASE_URL: 'mysql://user:hunter2@db/x',
      ENCRYPTION_KEY: 'aHVudGVyMg==',
      SMTP_URL: 'mail://user:hunter2@host',
    }).join('\n');
    expect(text).toContain('DATABASE_URL');
    expect(text).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  it('keeps a ring of keys, newest first', () => {
    const older = Buffer.alloc(32, 8).toString('base64');
    expect(loadConfig({ ENCRYPTION_KEY: `${KEY}, ${older}` }).secrets.encryptionKeys.map((key) => key[0])).toEqual([
      7, 8,
    ]);
  });

  it('requires all settings of an issuer for sign-in, or none', () => {
    const whole = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'us', OIDC_CLIENT_SECRET: 'hunter2' };
    const { oidc, clients } = loadConfig(whole).secrets;
    expect(oidc).toEqual({
      issuer: 'https://id.example',
      clientId: 'us',
      clientSecret: 'hunter2',
      name: 'id.example',
    });
    expect(clients.size).toBe(0);
    expect(loadConfig({ ...whole, OIDC_NAME: 'Example ID' }).secrets.oidc!.name).toBe('Example ID');
    expect(loadConfig({}).secrets.oidc).toBeUndefined();
    expect(faultsOf({ OIDC_CLIENT_SECRET: 'hunter2' })).toEqual([
      'OIDC_ISSUER: needed for sign-in by OIDC, or none of the three.',
      'OIDC_CLIENT_ID: needed for sign-in by OIDC, or none of the three.',
    ]);
    for (const OIDC_ISSUER of ['id.example', 'ftp://id.example', 'https://id.example/?a=1']) {
      expect(faultsOf({ ...whole, OIDC_ISSUER })).toEqual([
        'OIDC_ISSUER: expected the http or https address of an issuer.',
      ]);
    }
  });

  it('reads the OAuth clients of built-in apps', () => {
    const { clients } = loadConfig({ GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }).secrets;
    expect(clients.get('GITHUB')).toEqual({ clientId: 'id', clientSecret: 'secret' });
  });

  it.each([
    [{}, { name: undefined, address: 'no-reply@localhost' }],
    [{ BASE_URL: 'https://flows.example:8443' }, { name: undefined, address: 'no-reply@flows.example' }],
    [{ BASE_URL: 'http://127.0.0.1:4000' }, { name: undefined, address: 'no-reply@localhost' }],
    [{ MAIL_FROM: 'flows@x.test' }, { name: undefined, address: 'flows@x.test' }],
    [{ MAIL_FROM: 'Our Flows <flows@x.test>' }, { name: 'Our Flows', address: 'flows@x.test' }],
    [{ MAIL_FROM: '"Flows, Inc." <flows@localhost>' }, { name: 'Flows, Inc.', address: 'flows@localhost' }],
  ])('reads the sender of mails: %j', (env, from) => {
    expect(loadConfig(env).config.mail.from).toEqual(from);
  });

  it('is frozen', () => {
    expect(Object.isFrozen(loadConfig({}).config)).toBe(true);
  });
});

describe('the documents of the settings', () => {
  const example = readFileSync('.env.example', 'utf8');
  const readme = readFileSync('README.md', 'utf8');

  it.each(VARIABLES.map((variable) => [variable.name, variable] as const))('tell %s alike', (name, variable) => {
    expect(example).toContain(`# ${variable.about}\n# ${name}=${variable.default}\n`);
    const cell = variable.default === '' ? '' : `\`${variable.default}\``;
    expect(readme.replace(/ +/g, ' ')).toContain(`| \`${name}\` | ${cell ? `${cell} ` : ''}| ${variable.about} |`);
  });

  it('name no other setting', () => {
    const named = [...example.matchAll(/^# ([A-Z_]+)=/gm)]
      .map((match) => match[1])
      .filter((name) => !/^(?!OIDC).*_(CLIENT_(ID|SECRET)|SIGNING_SECRET)$/.test(name!));
    expect(named).toEqual(VARIABLES.map(({ name }) => name));
  });
});
