import { parseAppsFile } from '../../../src/features/integrations/apps/apps-file.js';
import { secretsOf } from '../../../src/features/integrations/apps/app-secrets.js';
import { builtInTypes } from '../../../src/features/integrations/apps/index.js';
import { AppRegistry } from '../../../src/features/integrations/apps/registry.js';

const key = {
  kind: 'api_key',
  placement: { in: 'header', name: 'X-Key' },
  verify: { method: 'GET', url: 'https://acme.example/me', ok: [200] },
};
const oauth = {
  kind: 'oauth2',
  authorization_url: 'https://acme.example/authorize',
  token_url: 'https://acme.example/token',
  scopes: ['read'],
  client_id: 'id',
  client_secret: 'secret-4711',
};

function parse(auth: unknown, more: object = {}) {
  const app = { type: 'acme', name: 'Acme', auth, api_base_url: 'https://acme.example', ...more };
  const { apps, faults } = parseAppsFile(JSON.stringify([app]), builtInTypes);
  return { app: apps[0], faults };
}

describe('an application with several ways to connect', () => {
  it('keeps their order, and their client apart', () => {
    const { app, faults } = parse([key, oauth]);
    expect(faults).toEqual([]);
    expect(app?.auths.map(({ kind }) => kind)).toEqual(['api_key', 'oauth2']);
    expect(secretsOf(app!)).toEqual({ client: { clientId: 'id', clientSecret: 'secret-4711' } });
    expect(JSON.stringify(app)).not.toContain('4711');
  });

  it('is one way in a list, too', () => {
    expect(parse([key]).app?.auths).toEqual(parse(key).app?.auths);
  });

  it.each<[string, unknown, string]>([
    ['no way', [], 'auth: must not be empty'],
    ['the same kind twice', [key, key], 'auth[1].kind: is there already: api_key'],
    ['an unknown kind', [key, { kind: 'saml' }], 'auth[1].kind: is not one of the known kinds'],
    ['a way that is a text', [key, 'oauth2'], 'auth[1]: must be an object'],
    ['an unknown key', [{ ...key, colour: 'red' }], 'auth[0].colour: is not a known key'],
    ['a name in camel case', [oauth, { ...key, verifyUrl: 'x' }], 'auth[1].verifyUrl: is not a known key'],
    ['a missing address', [key, { ...oauth, token_url: undefined }], 'auth[1].token_url: is missing'],
    ['a missing client', [key, { ...oauth, client_id: undefined }], 'auth[1].client_id: is missing'],
    ['six ways', [key, key, key, key, key, key], 'auth: must have at most 5 ways'],
  ])('is refused with %s', (_, auth, line) => {
    expect(parse(auth).faults).toContain(`APPS_FILE[0].${line}`);
  });

  it('must capture in each way what the URLs of the API need', () => {
    const captures = { host: { path: 'host', pattern: 'https://[a-z]+\\.acme\\.example' } };
    const more = { api_base_url: '{host}/api' };
    expect(parse([{ ...oauth, captures }], more).faults).toEqual([]);
    expect(parse([{ ...oauth, captures }, key], more).faults).toEqual([
      'APPS_FILE[0].api_base_url: uses {host}, which not every way in auth captures',
    ]);
  });

  it('is configured by any of its ways', () => {
    const fileApps = [parse([oauth, key]).app!];
    const registry = new AppRegistry({ baseUrl: 'http://x', sandbox: false, credentials: () => undefined, fileApps });
    const app = registry.get('acme')!;
    expect(['oauth2', 'api_key'].map((kind) => registry.isAuthConfigured(app, kind as 'oauth2'))).toEqual([true, true]);
    const bare = parse([{ ...oauth }, key]).app!;
    const copy = new AppRegistry({
      baseUrl: 'http://x',
      sandbox: false,
      credentials: () => undefined,
      // A copy of the app has no client.
      fileApps: [{ ...bare }],
    });
    const unconfigured = copy.get('acme')!;
    expect(copy.isConfigured(unconfigured)).toBe(true);
    expect(copy.isAuthConfigured(unconfigured, 'oauth2')).toBe(false);
  });
});
