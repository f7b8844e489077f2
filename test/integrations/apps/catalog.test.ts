import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  placeholdersIn,
  replacePlaceholders,
  withOrigin,
} from '../../../src/features/integrations/apps/urls/url-template.js';
import { authOf, urlTemplatesOf, defineApp, type App } from '../../../src/features/integrations/apps/app.js';
import { builtInTypes, catalog } from '../../../src/features/integrations/apps/index.js';
import { checkParameters } from '../../../src/features/integrations/apps/parameters.js';
import { sandboxApps } from '../../../src/features/integrations/apps/sandbox.js';
import { CATEGORIES } from '../../../src/features/integrations/apps/categories.js';
import { packageRoot } from '../../../src/platform/package-root.js';

const folder = join(packageRoot, 'src/features/integrations/apps/catalog');
const apps: readonly App[] = catalog;

/** Apps without an identity request, with the reason. */
const NAMELESS: Record<string, string> = {
  anthropic: 'a key belongs to a workspace, which only another kind of key may read',
  dropbox: 'asked by POST only',
  linear: 'GraphQL by POST only',
  monday: 'GraphQL by POST only',
  openai: 'a key belongs to a project, which only another kind of key may read',
  pagerduty: 'a general access key belongs to no user',
  resend: 'no URL returns the account',
  sendgrid: 'the scopes of a key are all that it may always read',
  stripe: 'a restricted key may not read the account',
};

/** Apps that request no scopes, with the reason. */
const WITHOUT_SCOPES: Record<string, string> = {
  box: 'chosen with the app',
  calendly: 'chosen with the app',
  clickup: 'has none',
  intercom: 'chosen with the app',
  mailchimp: 'has none',
  notion: 'chosen page by page by the user',
  pipedrive: 'chosen with the app',
  zoom: 'chosen with the app',
};

/** Apps that do not sign events, with what authenticates them instead. */
const UNSIGNED: Record<string, string> = {
  microsoft_outlook: 'the clientState of each notification',
  microsoft_teams: 'the clientState of each notification',
  postmark: 'nothing but the token in the address',
};

/** Apps whose provider generates the signing secret, by its scope. */
const PROVIDER_SECRETS: Record<string, string> = {
  calendly: 'application',
  clickup: 'endpoint',
  linear: 'endpoint',
  pagerduty: 'endpoint',
  resend: 'endpoint',
  shopify: 'endpoint',
  slack: 'application',
  stripe: 'endpoint',
};

/** An origin that a token response of the provider names. */
const ORIGINS: Record<string, string> = {
  api_domain: 'https://acme.pipedrive.com',
  api_url: 'https://eu01api.zoom.us',
  instance_url: 'https://acme.my.salesforce.com',
};

/** The URL with a value inserted that matches every pattern of the catalog. */
const filled = (address: string): URL => new URL(replacePlaceholders(withOrigin(address, ORIGINS), () => 'a1'));
const typesWhere = (holds: (app: App) => boolean): string[] => apps.filter(holds).map(({ type }) => type);

describe('the catalog', () => {
  it('lists exactly the files of its folders, each named for its type', () => {
    const files = globSync('*/*.ts', { cwd: folder }).map((file) => basename(file, '.ts'));
    expect(apps.map(({ type }) => type)).toEqual(files.sort());
  });

  it('describes each group of applications, none of which has fewer than three', () => {
    const groups = globSync('*', { cwd: folder }).sort();
    expect(Object.keys(CATEGORIES)).toEqual(groups);
    for (const group of groups) expect(globSync(`${group}/*.ts`, { cwd: folder }).length).toBeGreaterThanOrEqual(3);
  });

  it('has at least 40 applications, of both kinds, no two of one type or name', () => {
    expect(apps.length).toBeGreaterThanOrEqual(40);
    expect(typesWhere((app) => authOf(app, 'oauth2') !== undefined).length).toBeGreaterThanOrEqual(28);
    expect(typesWhere((app) => authOf(app, 'api_key') !== undefined).length).toBeGreaterThanOrEqual(12);
    expect(new Set(apps.map(({ type }) => type)).size).toBe(apps.length);
    expect(new Set(apps.map(({ name }) => name.toLowerCase())).size).toBe(apps.length);
  });

  it.each(apps)('has only https URLs, and a documentation page, for $type', (app) => {
    const addresses = urlTemplatesOf(app);
    expect(addresses.length).toBeGreaterThanOrEqual(2);
    for (const address of addresses) expect(filled(address).protocol).toBe('https:');
    expect(app.documentationUrl).toMatch(/^https:\/\//);
  });

  it.each(apps)('sends the credentials of $type only to its own hosts', (app) => {
    const own = filled(app.apiBaseUrl).hostname.split('.').slice(-2).join('.');
    const withCredentials = [app.identity?.url, authOf(app, 'api_key')?.verify.url];
    for (const url of withCredentials.filter((address) => address !== undefined))
      expect(filled(url).hostname).toMatch(new RegExp(`(^|\\.)${own.replace('.', '\\.')}$`));
  });

  it('has an identity request for every app that offers one by GET', () => {
    expect(typesWhere(({ identity }) => identity === null)).toEqual(Object.keys(NAMELESS));
  });

  it('requests scopes, except from providers without any', () => {
    const bare = typesWhere((app) => authOf(app, 'oauth2')?.scopes.length === 0);
    expect(bare).toEqual(Object.keys(WITHOUT_SCOPES));
  });

  it('has an event source for every app with events, signed unless the provider does not sign', () => {
    for (const { eventSource, events } of apps) expect(eventSource !== null).toBe(events.length > 0);
    expect(typesWhere(({ eventSource }) => eventSource?.signature === null)).toEqual(Object.keys(UNSIGNED));
  });

  it('marks secrets that the provider generates', () => {
    const theirs = apps.flatMap(({ type, eventSource }) =>
      eventSource === null || eventSource.secretOf === 'integration' ? [] : [[type, eventSource.secretOf]],
    );
    expect(Object.fromEntries(theirs)).toEqual(PROVIDER_SECRETS);
    expect(typesWhere(({ eventSource }) => (eventSource?.accountPaths.length ?? 0) > 0)).toEqual(['slack']);
  });

  it.each(apps.filter(({ parameters }) => parameters.length > 0))(
    'uses and explains each parameter of $type',
    (app) => {
      const used = new Set(urlTemplatesOf(app).flatMap((url) => placeholdersIn(withOrigin(url, ORIGINS))));
      expect(used).toEqual(new Set(app.parameters.map(({ name }) => name)));
      for (const { description } of app.parameters) expect(description).not.toBe('');
    },
  );

  it.each([
    ['bigcommerce', 'store_hash', 'abc123xyz', 'ABC/../v3'],
    ['jira', 'cloud_id', '11223344-a1b2-3b33-c444-def123456789', 'acme'],
    ['mailchimp', 'data_center', 'us6', 'us6.evil'],
    ['microsoft_teams', 'tenant', 'contoso.onmicrosoft.com', '../common'],
    ['okta', 'org', 'acme-dev', 'acme.okta'],
    ['quickbooks', 'company_id', '9130357849537686', '12a'],
    ['salesforce', 'my_domain', 'acme--dev.sandbox.my', 'acme.evil.my'],
    ['shopify', 'shop', 'acme-store', 'acme.myshopify.com'],
    ['zendesk', 'subdomain', 'acme', 'acme.zendesk.com'],
  ])('takes a good %s %s and refuses another', (type, name, good, bad) => {
    const app = apps.find((one) => one.type === type)!;
    expect(checkParameters(app, { [name]: good }).details).toEqual([]);
    expect(checkParameters(app, { [name]: bad }).details).toEqual([
      { field: `parameters.${name}`, message: expect.stringMatching(/^must match/) as string },
    ]);
  });

  it.each(typesWhere((app) => authOf(app, 'oauth2')?.tokenUrl.includes('googleapis') === true))(
    'never revokes an old token of %s while the connection goes on',
    (type) => {
      const auth = authOf(
        apps.find((one) => one.type === type)!,
        'oauth2',
      );
      expect(auth).toMatchObject({ revocationEndsGrant: true, authorizationParams: { access_type: 'offline' } });
    },
  );

  it.each(apps)('freezes $type deeply', (app) => {
    expect(Object.isFrozen(app) && Object.isFrozen(app.auths[0]) && Object.isFrozen(app.events)).toBe(true);
    expect(() => Object.assign(app.auths[0]!, { tokenUrl: 'https://evil.example' })).toThrow(TypeError);
  });

  it('requests offline access if a refresh token depends on it', () => {
    const google = apps.find(({ type }) => type === 'google_calendar');
    const microsoft = apps.find(({ type }) => type === 'microsoft_outlook');
    expect(google?.auths[0]).toMatchObject({ authorizationParams: { access_type: 'offline', prompt: 'consent' } });
    expect(microsoft?.auths[0]).toMatchObject({ scopes: expect.arrayContaining(['offline_access']) });
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
      auths: [
        {
          authorizationUrl: 'https://flow.example/gateway/sandbox/oauth/authorize',
          tokenUrl: 'https://flow.example/gateway/sandbox/oauth/token',
          revocationUrl: 'https://flow.example/gateway/sandbox/oauth/revoke',
          issuer: 'https://flow.example/gateway/sandbox',
          pkce: true,
          tokenEndpointAuthMethod: 'none',
        },
      ],
    });
    expect(apiKey).toMatchObject({
      type: 'sandbox_api_key',
      events: ['item.created'],
      auths: [{ verify: { method: 'GET', url: 'https://flow.example/gateway/sandbox/me', ok: [200] } }],
    });
  });

  it('reserve their types against APPS_FILE', () => {
    expect(builtInTypes).toEqual(new Set([...apps.map(({ type }) => type), oauth.type, apiKey.type]));
  });
});

describe('defineApp', () => {
  it('names every error of a bad definition, and returns no app', () => {
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
