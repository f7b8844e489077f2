import { readdirSync } from 'node:fs';
import { addressesOf, defineApp, type App } from '../../../src/integrations/apps/app.js';
import { builtInTypes, catalog } from '../../../src/integrations/apps/index.js';
import { sandboxApps } from '../../../src/integrations/apps/sandbox.js';

const folder = new URL('../../../src/integrations/apps/catalog/', import.meta.url);
const apps: readonly App[] = catalog;

describe('the catalog', () => {
  it('lists exactly the files of its folder, each named for its type', () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
    expect(apps.map(({ type }) => type)).toEqual(files.sort());
  });

  it.each(apps)('has only https addresses without parameters for $type', (app) => {
    const addresses = addressesOf(app);
    expect(addresses.length).toBeGreaterThanOrEqual(2);
    for (const address of addresses) {
      expect(address).not.toMatch(/[{}]/);
      expect(new URL(address).protocol).toBe('https:');
    }
    expect(app.documentationUrl).toMatch(/^https:\/\//);
  });

  it.each(apps)('asks and verifies $type where its own keys may be sent', (app) => {
    const own = new URL(app.apiBaseUrl).hostname.split('.').slice(-2).join('.');
    const withCredentials = [app.identity?.url, app.auth.kind === 'api_key' ? app.auth.verify.url : undefined];
    for (const url of withCredentials.filter((address) => address !== undefined))
      expect(new URL(url).hostname).toMatch(new RegExp(`(^|\\.)${own.replace('.', '\\.')}$`));
  });

  it.each(apps)('freezes $type to the bottom', (app) => {
    expect(Object.isFrozen(app) && Object.isFrozen(app.auth) && Object.isFrozen(app.events)).toBe(true);
    expect(() => Object.assign(app.auth, { tokenUrl: 'https://evil.example' })).toThrow(TypeError);
  });

  it('asks for offline access where a refresh token depends on it', () => {
    const google = apps.find(({ type }) => type === 'google_calendar');
    const microsoft = apps.find(({ type }) => type === 'microsoft_outlook');
    expect(google?.auth).toMatchObject({ authorizationParams: { access_type: 'offline', prompt: 'consent' } });
    expect(microsoft?.auth).toMatchObject({ scopes: expect.arrayContaining(['offline_access']) });
  });
});

describe('the sandbox apps', () => {
  const [oauth, apiKey] = sandboxApps('https://flow.example/gateway/') as [App, App];

  it('have their provider at the service itself', () => {
    expect(oauth).toMatchObject({
      type: 'sandbox_oauth',
      apiBaseUrl: 'https://flow.example/gateway/sandbox',
      identity: { url: 'https://flow.example/gateway/sandbox/me', id: 'id', name: 'name' },
      events: ['contact.created', 'contact.updated'],
      auth: {
        authorizationUrl: 'https://flow.example/gateway/sandbox/oauth/authorize',
        tokenUrl: 'https://flow.example/gateway/sandbox/oauth/token',
        revocationUrl: 'https://flow.example/gateway/sandbox/oauth/revoke',
        issuer: 'https://flow.example/gateway/sandbox',
        pkce: true,
        tokenEndpointAuthMethod: 'none',
      },
    });
    expect(apiKey).toMatchObject({
      type: 'sandbox_api_key',
      events: ['item.created'],
      auth: { verify: { method: 'GET', url: 'https://flow.example/gateway/sandbox/me', ok: [200] } },
    });
  });

  it('keep their types from APPS_FILE', () => {
    expect(builtInTypes).toEqual(new Set([...apps.map(({ type }) => type), oauth.type, apiKey.type]));
  });
});

describe('defineApp', () => {
  it('names every fault of a bad definition and gives none back', () => {
    const bad = () =>
      defineApp({
        type: 'Bad',
        name: ' ',
        auth: {
          kind: 'oauth2',
          authorizationUrl: 'ftp://a.example',
          tokenUrl: 'https://a.example/#t',
          scopes: ['a b'],
        },
        apiBaseUrl: 'https://{tenant}.a.example',
      });
    expect(bad).toThrow(
      [
        'The app Bad is not well defined:',
        'type: must be made of a-z, 0-9 and _',
        'name: must not be empty',
        'auth.authorizationUrl: must start with http:// or https://',
        'auth.tokenUrl: must have no fragment (#)',
        'auth.scopes.0: must be a scope (RFC 6749, 3.3)',
        'apiBaseUrl: uses {tenant}, which is not in parameters',
      ].join('\n'),
    );
  });
});
