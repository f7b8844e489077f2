import { inspect } from 'node:util';
import { parseAppsFile } from '../../../src/features/integrations/apps/apps-file.js';
import { secretsOf } from '../../../src/features/integrations/apps/app-secrets.js';
import { builtInTypes } from '../../../src/features/integrations/apps/index.js';
import { acmeFile } from './acme.js';

const parse = (file: unknown) => parseAppsFile(JSON.stringify(file), builtInTypes);

/** The example file with one value set, such as `0/auth/token_url`; undefined removes it. */
function bent(path: string, value: unknown): unknown {
  const file: unknown[] = acmeFile();
  const steps = path.split('/');
  let place = file as unknown as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) place = place[step] as Record<string, unknown>;
  place[steps.at(-1) as string] = value;
  return file;
}

describe('a file of two apps', () => {
  it('parses into both apps', () => {
    const { apps, faults } = parse(acmeFile());
    expect(faults).toEqual([]);
    expect(apps).toEqual([
      {
        type: 'acme_crm',
        name: 'Acme CRM',
        documentationUrl: null,
        verified: false,
        auths: [
          {
            kind: 'oauth2',
            captures: [],
            authorizationUrl: 'https://{tenant}.acme.example/oauth/authorize',
            tokenUrl: 'https://{tenant}.acme.example/oauth/token',
            revocationUrl: null,
            issuer: null,
            scopes: ['contacts.read'],
            scopeSeparator: ' ',
            pkce: true,
            tokenEndpointAuthMethod: 'client_secret_basic',
            authorizationParams: {},
            revocationEndsGrant: false,
            revocationAuthMethod: null,
            invalidGrantErrors: [],
          },
        ],
        apiBaseUrl: 'https://{tenant}.acme.example',
        apiHeaders: {},
        parameters: [
          {
            name: 'tenant',
            description: 'Your Acme subdomain',
            pattern: '^[a-z0-9-]{1,63}$',
            default: null,
            choices: null,
          },
        ],
        identity: { url: 'https://{tenant}.acme.example/me', id: 'data.id', name: 'data.email' },
        events: ['contact.created'],
        eventSource: {
          header: 'X-Acme-Event',
          jsonPath: null,
          signature: { header: 'X-Acme-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
          handshake: null,
          delivery: null,
          secretOf: 'integration',
          accountPaths: [],
        },
      },
      expect.objectContaining({
        type: 'keyed_app',
        auths: [
          {
            kind: 'api_key',
            placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
            verify: { method: 'GET', url: 'https://api.keyed.example/me', ok: [200] },
          },
        ],
        parameters: [],
        identity: null,
        events: [],
        eventSource: null,
      }),
    ]);
  });

  it('keeps its secrets out of every copy, log and JSON of the app', () => {
    const { apps } = parse(bent('0/event_source/signature/secret', 'signing-secret-77'));
    const [app] = apps;
    if (!app) throw new Error('The file was refused.');
    const shown = JSON.stringify(app) + inspect(app, { depth: null, showHidden: true }) + JSON.stringify({ ...app });
    expect(shown).not.toMatch(/acme-secret|acme-client|signing-secret/);
    expect(secretsOf(app)).toEqual({
      client: { clientId: 'acme-client', clientSecret: 'acme-secret-9f2c' },
      signatureSecret: 'signing-secret-77',
    });
    expect(Object.isFrozen(app.auths[0])).toBe(true);
  });
});

describe('an optional key', () => {
  it('has its documented default', () => {
    const auth = {
      kind: 'oauth2',
      authorization_url: 'https://a.example/authorize',
      token_url: 'https://a.example/token',
      scopes: [],
      client_id: 'id',
      client_secret: 'secret',
    };
    const { apps, faults } = parse([{ type: 'a', name: 'A', auth, api_base_url: 'http://127.0.0.1:9' }]);
    expect(faults).toEqual([]);
    expect(apps[0]?.auths[0]).toMatchObject({
      scopeSeparator: ' ',
      pkce: true,
      tokenEndpointAuthMethod: 'client_secret_basic',
    });
  });

  it.each([
    ['the secret of a public client', '0/auth/token_endpoint_auth_method', 'none'],
    ['a signature, as null', '0/event_source/signature', null],
    ['a scheme instead of header and encoding', '0/event_source/signature', { scheme: 'slack' }],
    ['a handshake', '0/event_source/handshake', 'microsoft_graph'],
    ['a documentation address with a fragment', '0/documentation_url', 'https://docs.acme.example/#auth'],
    ['a port and a query', '0/auth/authorization_url', 'https://{tenant}.acme.example:8443/a?x={tenant}'],
    ['an IPv6 host', '1/auth/verify/url', 'http://[::1]:8080/me'],
    ['a key in the query', '1/auth/placement', { in: 'query', name: 'api_key' }],
  ])('takes %s', (_, path, value) => {
    expect(parse(bent(path, value)).faults).toEqual([]);
  });

  it('of a public client is its secret', () => {
    const { apps } = parse(bent('0/auth/token_endpoint_auth_method', 'none'));
    expect(apps[0] && secretsOf(apps[0]).client).toEqual({ clientId: 'acme-client' });
  });
});

const BAD: [path: string, value: unknown, line: string][] = [
  ['0/colour', 'red', '[0].colour: is not a known key'],
  ['0/api_headers', {}, '[0].api_headers: is not a known key'],
  ['0/verified', true, '[0].verified: is not a known key'],
  ['0/apiBaseUrl', 'https://a.example', '[0].apiBaseUrl: is not a known key'],
  ['0/auth/__proto', {}, '[0].auth.__proto: is not a known key'],
  ['0/auth/tokenUrl', 'https://a.example', '[0].auth.tokenUrl: is not a known key'],
  ['1/auth/client_id', 'x', '[1].auth.client_id: is not a known key'],
  ['0/type', undefined, '[0].type: is missing'],
  ['0/type', 'Acme-CRM', '[0].type: must be made of a-z, 0-9 and _'],
  ['0/type', 'github', '[0].type: github is taken by another app'],
  ['0/type', 'sandbox_oauth', '[0].type: sandbox_oauth is taken by another app'],
  ['1/type', 'acme_crm', '[1].type: acme_crm is taken by another app'],
  ['0/name', '', '[0].name: must not be empty'],
  ['0/name', 7, '[0].name: must be a text'],
  ['0/auth', undefined, '[0].auth: is missing'],
  ['0/auth/kind', 'saml', '[0].auth.kind: is not one of the known kinds'],
  ['0/auth/token_url', undefined, '[0].auth.token_url: is missing'],
  ['0/auth/token_url', 'ftp://acme.example', '[0].auth.token_url: must start with http:// or https://'],
  ['0/auth/token_url', 'javascript:alert(1)', '[0].auth.token_url: must start with http:// or https://'],
  ['0/auth/token_url', '/oauth/token', '[0].auth.token_url: must start with http:// or https://'],
  ['0/auth/token_url', 'https://', '[0].auth.token_url: is not an address'],
  ['0/auth/token_url', 'https://a.example:99999/t', '[0].auth.token_url: is not an address'],
  ['0/auth/token_url', 'https://u:p@acme.example/t', '[0].auth.token_url: must have no user name or password'],
  ['0/auth/token_url', 'https://{tenant}@acme.example', '[0].auth.token_url: must have no user name or password'],
  ['0/auth/token_url', 'https://acme.example/t#x', '[0].auth.token_url: must have no fragment (#)'],
  ['0/auth/token_url', '{tenant}://acme.example', '[0].auth.token_url: must have no placeholder in its scheme'],
  ['0/auth/token_url', 'https://acme.example:{tenant}/', '[0].auth.token_url: must have no placeholder in its port'],
  [
    '0/auth/token_url',
    'https://{region}.acme.example',
    '[0].auth.token_url: uses {region}, which is not in parameters',
  ],
  ['0/auth/token_url', 'https://{tenant.acme.example', '[0].auth.token_url: has a brace that is not part of a {name}'],
  ['0/auth/token_url', 'https://{tenant}/t', '[0].auth.token_url: must have a host that ends in a fixed name'],
  ['0/auth/token_url', 'https://acme-{tenant}/t', '[0].auth.token_url: must have a host that ends in a fixed name'],
  ['0/auth/token_url', 'https://{tenant}.', '[0].auth.token_url: must have a host that ends in a fixed name'],
  ['0/auth/token_url', 'https://a.example/ t', '[0].auth.token_url: must have no space, line break or backslash'],
  ['0/auth/token_url', 'https://a.example\\t', '[0].auth.token_url: must have no space, line break or backslash'],
  ['0/auth/token_url', 'https://a。example/t', '[0].auth.token_url: must write its host as it is sent: a.example'],
  ['0/auth/token_url', 'https://a.example/x/../t', '[0].auth.token_url: must write its path as it is sent: /t'],
  ['0/auth/issuer', 'https://acme.example/?a=1', '[0].auth.issuer: must have no query'],
  ['0/api_base_url', 'https://acme.example/?a=1', '[0].api_base_url: must have no query'],
  ['0/auth/scopes', 'contacts.read', '[0].auth.scopes: must be a list'],
  ['0/auth/scopes', ['a b'], '[0].auth.scopes[0]: must be a scope (RFC 6749, 3.3)'],
  ['0/auth/pkce', 'yes', '[0].auth.pkce: must be true or false'],
  [
    '0/auth/token_endpoint_auth_method',
    'private_key_jwt',
    '[0].auth.token_endpoint_auth_method: must be one of client_secret_basic, client_secret_post, none',
  ],
  ['0/auth/authorization_params', { state: 'x' }, '[0].auth.authorization_params.state: is set by the service itself'],
  ['0/auth/client_id', undefined, '[0].auth.client_id: is missing'],
  ['0/auth/client_id', '', '[0].auth.client_id: must be a text, not empty'],
  ['0/auth/client_secret', undefined, '[0].auth.client_secret: is missing'],
  [
    '0/parameters/tenant/pattern',
    '[a-z',
    '[0].parameters.tenant.pattern: is not a regular expression (ECMAScript, flag u)',
  ],
  [
    '0/parameters/tenant/pattern',
    'a)|(?:b',
    '[0].parameters.tenant.pattern: is not a regular expression (ECMAScript, flag u)',
  ],
  ['0/parameters/tenant/pattern', undefined, '[0].parameters.tenant.pattern: is missing'],
  ['0/parameters/tenant/example', 'x', '[0].parameters.tenant.example: is not a known key'],
  [
    '0/parameters/Shop',
    { description: '', pattern: 'a' },
    '[0].parameters.Shop: must be named in lower case, digits and underscores',
  ],
  ['0/identity/id', 'data..id', '[0].identity.id: must be a dotted path such as data.id'],
  ['0/identity/name', undefined, '[0].identity.name: is missing'],
  ['0/events', ['contact.created'], '[0].events: must be an object'],
  ['0/events/contact.created', { x: 1 }, '[0].events["contact.created"].x: is not a known key'],
  ['0/event_source/json_path', 'type', '[0].event_source: must have exactly one of header and json_path'],
  ['0/event_source/header', null, '[0].event_source: must have exactly one of header and json_path'],
  ['0/event_source/delivery', { header: 'X-Id' }, '[0].event_source.delivery: is not a known key'],
  ['0/event_source/header', 'X Event', '[0].event_source.header: must be the name of a header'],
  ['0/event_source/signature', undefined, '[0].event_source.signature: is missing'],
  ['0/event_source/signature/scheme', 'slack2', '[0].event_source.signature.scheme: is not one of the known kinds'],
  ['0/event_source/signature/secret', '', '[0].event_source.signature.secret: must be a text, not empty'],
  [
    '0/event_source/signature/algorithm',
    'md5',
    '[0].event_source.signature.algorithm: must be one of sha1, sha256, sha512',
  ],
  [
    '0/event_source/signature',
    { scheme: 'github', encoding: 'hex' },
    '[0].event_source.signature.encoding: must be left out beside scheme',
  ],
  [
    '0/event_source/signature',
    { scheme: 'standard_webhooks', secret: 'plain!' },
    '[0].event_source.signature.secret: must be base64 after whsec_',
  ],
  ['0/event_source/handshake', 'zoom', '[0].event_source.handshake: must be one of slack, meta, microsoft_graph'],
  ['1/auth/placement/in', 'cookie', '[1].auth.placement.in: is not one of the known kinds'],
  ['1/auth/placement/name', 'Auth: x', '[1].auth.placement.name: must be the name of a header'],
  ['1/auth/placement/prefix', 'Bearer\r\n', '[1].auth.placement.prefix: must be visible ASCII'],
  ['1/auth/verify/method', 'DELETE', '[1].auth.verify.method: must be one of GET, HEAD, POST'],
  ['1/auth/verify/ok', [], '[1].auth.verify.ok: must not be empty'],
  ['1/auth/verify/ok', [20], '[1].auth.verify.ok[0]: must be at least 100'],
  ['1/documentation_url', 'docs', '[1].documentation_url: must be an http or https address'],
];

describe('a bad file', () => {
  it.each(BAD)('is refused with one line: %s = %j', (path, value, line) => {
    const { apps, faults } = parse(bent(path, value));
    expect(faults).toEqual([`APPS_FILE${line}`]);
    expect(apps).toHaveLength(1);
  });

  it.each([
    ['[{"client_secret":hunter2}]', 'APPS_FILE: is not JSON'],
    ['', 'APPS_FILE: is not JSON'],
    ['{}', 'APPS_FILE: must be a list of apps'],
    ['null', 'APPS_FILE: must be a list of apps'],
    ['["github"]', 'APPS_FILE[0]: must be an object'],
    ['[{"__proto__":{"type":"a"}}]', 'APPS_FILE[0].__proto__: is not a known key'],
  ])('is refused as a whole: %s', (text, line) => {
    const { apps, faults } = parseAppsFile(text, builtInTypes);
    expect(apps).toEqual([]);
    expect(faults).toContain(line);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('names all errors of all apps at once and contains no secret', () => {
    const file = acmeFile();
    Object.assign(file[0] as object, { colour: 'red', api_base_url: 'https://user:s3cr3t@acme.example' });
    Object.assign((file[0] as { event_source: object }).event_source, { json_path: 'type', handshake: 'zoom' });
    Object.assign(file[1] as object, { name: '', type: 'linear' });
    const { apps, faults } = parse(file);
    expect(apps).toEqual([]);
    expect(faults.sort()).toEqual([
      'APPS_FILE[0].api_base_url: must have no user name or password',
      'APPS_FILE[0].colour: is not a known key',
      'APPS_FILE[0].event_source.handshake: must be one of slack, meta, microsoft_graph',
      'APPS_FILE[0].event_source: must have exactly one of header and json_path',
      'APPS_FILE[1].name: must not be empty',
      'APPS_FILE[1].type: linear is taken by another app',
    ]);
  });
});
