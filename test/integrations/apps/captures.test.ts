import { parseAppsFile } from '../../../src/features/integrations/apps/apps-file.js';
import { captureFrom, missingCaptures } from '../../../src/features/integrations/apps/captures.js';
import { type App } from '../../../src/features/integrations/apps/app.js';
import { builtInTypes, catalog } from '../../../src/features/integrations/apps/index.js';
import { acmeFile } from './acme.js';

const appOf = (type: string): App => catalog.find((one) => one.type === type)!;

/** The contract's application, with these captures and URLs. */
function parse(captures: unknown, urls: { api_base_url?: string; identity?: unknown; token_url?: string } = {}) {
  const { token_url: tokenUrl, ...rest } = urls;
  const [acme] = acmeFile() as [ReturnType<typeof acmeFile>[number]];
  Object.assign(acme, rest);
  Object.assign(acme.auth, { captures }, tokenUrl && { token_url: tokenUrl });
  const { apps, faults } = parseAppsFile(JSON.stringify([acme]), builtInTypes);
  return { app: apps[0]!, faults };
}

describe('the host of an API in a token response', () => {
  const PLACES: [string, string, string, string][] = [
    ['pipedrive', 'api_domain', 'https://acme-sandbox.pipedrive.com', 'https://acme-sandbox.pipedrive.com'],
    ['salesforce', 'instance_url', 'https://acme.my.salesforce.com', 'https://acme.my.salesforce.com'],
    ['salesforce', 'instance_url', 'https://a--b.sandbox.my.salesforce.com', 'https://a--b.sandbox.my.salesforce.com'],
    ['salesforce', 'instance_url', 'https://na40.salesforce.com', 'https://na40.salesforce.com'],
    ['zoom', 'api_url', 'https://api.zoom.us', 'https://api.zoom.us'],
    ['zoom', 'api_url', 'https://eu01api.zoom.us/', 'https://eu01api.zoom.us'],
  ];

  it.each(PLACES)('of %s is taken: %s %s', (type, name, value, origin) => {
    expect(captureFrom(appOf(type), 'oauth2', { access_token: 'x', [name]: value }, {})).toEqual({ [name]: origin });
  });

  it.each(
    PLACES.flatMap(([type, name, good]) =>
      [
        undefined,
        null,
        '',
        7,
        [good],
        'https://attacker.example',
        good.replace('https:', 'http:'),
        good.replace(/\/$/, '').concat('.attacker.example'),
        good.replace('https://', 'https://attacker.example/'),
        good.replace('https://', 'https://attacker.example#'),
        good.replace('https://', 'https://attacker.example?'),
        good.replace('https://', 'https://attacker.example\\'),
        good.replace('https://', 'https://user@'),
        good.replace(/\/$/, '').concat('@attacker.example'),
        good.replace(/\/$/, '').concat(':8443'),
        good.replace(/\/$/, '').concat('/path'),
        good.replace(/\/$/, '').concat('/?x=1'),
        good.replace(/\.(\w+)\/?$/, 'x$1'),
        good.replace('https://', 'https://127.0.0.1/'),
        'https://169.254.169.254',
        'file:///etc/passwd',
      ].map((bad): [string, string, unknown] => [type, name, bad]),
    ),
  )('of %s is refused: %s %j', (type, name, bad) => {
    const found = captureFrom(appOf(type), 'oauth2', { [name]: bad }, {});
    expect(found).toEqual({});
    expect(missingCaptures(appOf(type), 'oauth2', found)).toEqual([name]);
  });

  it('may use http only if the operator gave the token endpoint so', () => {
    const captures = { company: { path: 'a.b', pattern: 'https?://[a-z]+\\.acme\\.example' } };
    const plain = parse(captures, { api_base_url: '{company}', token_url: 'http://acme.example/token' });
    const safe = parse(captures, { api_base_url: '{company}' });
    const answer = { a: { b: 'http://shop.acme.example' } };
    expect(captureFrom(plain.app, 'oauth2', answer, { tenant: 't' })).toEqual({ company: 'http://shop.acme.example' });
    expect(captureFrom(safe.app, 'oauth2', answer, { tenant: 't' })).toEqual({});
  });

  it('is one label without a pattern, and one segment in a path', () => {
    const host = parse({ shard: { path: 'shard' } }, { api_base_url: 'https://{shard}.acme.example' }).app;
    const path = parse({ shard: { path: 'shard' } }, { api_base_url: 'https://acme.example/{shard}/v1' }).app;
    const from = (app: App, shard: string) => captureFrom(app, 'oauth2', { shard }, { tenant: 't' });
    expect(from(host, 'eu-1')).toEqual({ shard: 'eu-1' });
    expect(from(path, 'eu 1/x')).toEqual({ shard: 'eu 1/x' });
    for (const bad of ['a.b', 'evil.example/', 'a:1', '-a', 'ü', 'a'.repeat(256)]) expect(from(host, bad)).toEqual({});
    for (const bad of ['..', '.', 'a'.repeat(256)]) expect(from(path, bad)).toEqual({});
  });
});

describe('captures in APPS_FILE', () => {
  const good = { path: 'x', pattern: 'https://[a-z]+\\.acme\\.example' };

  it('may stand in the base URL and in that of the identity', () => {
    const identity = { url: '{company}/me?of={tenant}', id: 'id', name: 'name' };
    const { app, faults } = parse({ company: good }, { api_base_url: '{company}/api', identity });
    expect(faults).toEqual([]);
    expect(app).toMatchObject({
      apiBaseUrl: '{company}/api',
      auths: [{ captures: [{ name: 'company', path: 'x', pattern: good.pattern }] }],
    });
  });

  it.each<[string, unknown, Parameters<typeof parse>[1], string]>([
    ['another place', { company: good }, { token_url: '{company}/token' }, 'auth.token_url: must have no placeholder'],
    ['a host', { shard: { path: 'x' } }, { api_base_url: '{shard}/api' }, 'api_base_url: must have no placeholder'],
    ['an unknown name', {}, { api_base_url: '{company}' }, 'api_base_url: must have no placeholder'],
    ['part of a host', { c: good }, { api_base_url: '{c}.acme.example' }, 'api_base_url: must have no placeholder'],
    ['a name that a parameter has', { tenant: good }, {}, 'auth.captures.tenant: is the name of a parameter, too'],
    ['a bad name', { Host: good }, {}, 'auth.captures.Host: must be named in lower case'],
    ['a bad path', { c: { path: 'a..b' } }, {}, 'auth.captures.c.path: must be a dotted path'],
    ['a bad pattern', { c: { path: 'a', pattern: '(' } }, {}, 'auth.captures.c.pattern: is not a regular expression'],
    ['any host', { c: { path: 'a', pattern: 'https://.*' } }, {}, 'auth.captures.c.pattern: must not match every host'],
    ['an unknown key', { c: { ...good, host: 'x' } }, {}, 'auth.captures.c.host: is not a known key'],
  ])('may not stand for %s', (_, captures, urls, line) => {
    const { faults } = parse(captures, urls);
    expect(faults).toEqual([expect.stringContaining(`APPS_FILE[0].${line}`)]);
  });
});
