import { parseAppsFile } from '../../../src/features/integrations/apps/apps-file.js';
import { builtInTypes } from '../../../src/features/integrations/apps/index.js';
import { AppRegistry, type AppRegistryOptions } from '../../../src/features/integrations/apps/registry.js';
import { type App } from '../../../src/features/integrations/apps/app.js';
import { acmeFile } from './acme.js';

const github = { clientId: 'gh', clientSecret: 'gh-secret' };

function build(overrides: Partial<AppRegistryOptions> = {}): AppRegistry {
  return new AppRegistry({
    baseUrl: 'http://localhost:4000',
    sandbox: true,
    credentials: (type) => (type === 'github' ? github : undefined),
    fileApps: parseAppsFile(JSON.stringify(acmeFile()), builtInTypes).apps,
    ...overrides,
  });
}

function appOf(registry: AppRegistry, type: string): App {
  const app = registry.get(type);
  if (!app) throw new Error(`No app ${type}`);
  return app;
}

const types = (apps: App[]): string[] => apps.map(({ type }) => type);

describe('AppRegistry', () => {
  it('lists the catalog, the sandbox and the apps of the file by name', () => {
    const names = build()
      .list()
      .map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
    expect(names).toEqual(expect.arrayContaining(['Acme CRM', 'GitHub', 'Keyed App', 'Sandbox (OAuth 2)']));
    expect(names).toHaveLength(builtInTypes.size + 2);
  });

  it('has no sandbox apps if the sandbox is off', () => {
    expect(build({ sandbox: false }).get('sandbox_oauth')).toBeUndefined();
    expect(build({ sandbox: false }).get('sandbox_api_key')).toBeUndefined();
  });

  it('returns undefined for an undefined type', () => {
    for (const type of ['nope', '', 'GitHub', 'constructor', '__proto__']) expect(build().get(type)).toBeUndefined();
  });

  it.each([
    ['github', true],
    ['slack', false],
    ['stripe', true],
    ['acme_crm', true],
    ['keyed_app', true],
    ['sandbox_oauth', true],
    ['sandbox_api_key', true],
  ])('says whether %s can be connected: %s', (type, configured) => {
    const registry = build();
    expect(registry.isConfigured(appOf(registry, type))).toBe(configured);
  });

  it.each([
    ['github', github],
    ['slack', undefined],
    ['stripe', undefined],
    ['acme_crm', { clientId: 'acme-client', clientSecret: 'acme-secret-9f2c' }],
    ['sandbox_oauth', { clientId: 'sandbox' }],
  ])('gives the client of %s', (type, client) => {
    const registry = build({ credentials: (asked) => (asked === 'slack' ? undefined : github) });
    expect(registry.clientOf(appOf(registry, type))).toEqual(client);
  });

  it('returns the signing secret of an application that has one', () => {
    const file = acmeFile();
    Object.assign((file[0] as { event_source: { signature: object } }).event_source.signature, {
      secret: 'one-for-all',
    });
    const registry = build({ fileApps: parseAppsFile(JSON.stringify(file), builtInTypes).apps });
    expect(registry.signatureSecretOf(appOf(registry, 'acme_crm'))).toBe('one-for-all');
    expect(registry.signatureSecretOf(appOf(registry, 'github'))).toBeUndefined();
  });

  it('returns the types that offer an event, and the events that a type offers', () => {
    expect(build().typesOffering('contact.created')).toEqual(['acme_crm', 'sandbox_oauth']);
    expect(build().typesOffering('push')).toEqual(['github', 'gitlab']);
    expect(build().typesOffering('toString')).toEqual([]);
    expect(build().eventsOf('acme_crm')).toContain('contact.created');
    expect(build().eventsOf('toString')).toEqual([]);
  });

  it('searches type and name, ignoring case', () => {
    expect(types(build().search('OUTLOOK'))).toEqual(['microsoft_outlook']);
    expect(types(build().search('acme crm'))).toEqual(['acme_crm']);
    expect(types(build().search('sandbox_'))).toEqual(['sandbox_api_key', 'sandbox_oauth']);
    expect(build().search('')).toHaveLength(build().list().length);
    expect(build().search('%')).toEqual([]);
  });

  it('refuses two apps of one type', () => {
    const { apps } = parseAppsFile(JSON.stringify(acmeFile()), builtInTypes);
    expect(() => build({ fileApps: [...apps, ...apps] })).toThrow('Two apps have the same type.');
  });

  it('contains no secret as JSON', () => {
    expect(JSON.stringify(build().list())).not.toMatch(/secret-9f2c|gh-secret|acme-client/);
  });
});
