import { parseAppsFile } from '../../../src/features/integrations/apps/apps-file.js';
import { type App } from '../../../src/features/integrations/apps/app.js';
import { builtInTypes, catalog } from '../../../src/features/integrations/apps/index.js';
import { checkParameters } from '../../../src/features/integrations/apps/parameters.js';
import { fillAppUrl } from '../../../src/features/integrations/apps/urls/fill-url-template.js';

const REGION = { description: 'The region', choices: { us: 'api', eu: 'api.eu', lab: '' }, default: 'us' };

function parse(parameters: unknown, baseUrl = 'https://{region}.acme.example/v1') {
  const verify = { method: 'GET', url: 'https://acme.example/me?region={region}', ok: [200] };
  const auth = { kind: 'api_key', placement: { in: 'header', name: 'X-Key' }, verify };
  const app = { type: 'acme', name: 'Acme', auth, api_base_url: baseUrl, parameters };
  const { apps, faults } = parseAppsFile(JSON.stringify([app]), builtInTypes);
  return { app: apps[0]!, faults };
}
const urlOf = (app: App, parameters: Record<string, string>): string => fillAppUrl(app, app.apiBaseUrl, parameters);

describe('a parameter with choices', () => {
  const { app } = parse({ region: REGION }, 'https://{region}x.acme.example/{region}/v1');

  it.each([
    ['us', 'https://apix.acme.example/api/v1'],
    ['eu', 'https://api.eux.acme.example/api.eu/v1'],
    ['lab', 'https://x.acme.example//v1'],
  ])('inserts the text of %s', (region, url) => {
    expect(checkParameters(app, { region })).toEqual({ values: { region }, details: [] });
    expect(urlOf(app, { region })).toBe(url);
  });

  it.each(['api', 'EU', 'e', 'us|eu', 'toString', '__proto__'])('refuses %s', (region) => {
    const message = 'must match us|eu|lab';
    expect(checkParameters(app, { region }).details).toEqual([{ field: 'parameters.region', message }]);
  });

  it.each([[undefined], [null], [{}], [{ region: null }]])('stores the default for %j', (given) => {
    expect(checkParameters(app, given)).toEqual({ values: { region: 'us' }, details: [] });
  });

  it('uses the default for a connection that is older than the parameter', () => {
    expect(urlOf(app, {})).toBe('https://apix.acme.example/api/v1');
  });

  it('fills no URL with a value that is no choice any more', () => {
    for (const region of ['api', 'evil', 'constructor'])
      expect(() => urlOf(app, { region })).toThrow('parameters.region: is required');
  });

  it('is required without a default', () => {
    const required = parse({ region: { ...REGION, default: null } }).app;
    expect(checkParameters(required, {}).details).toEqual([{ field: 'parameters.region', message: 'is required' }]);
  });
});

describe('the default of a pattern', () => {
  it('is used where no value is given, and follows the value where one is', () => {
    const { app } = parse({ region: { description: '', pattern: '[a-z]+', default: 'login' } });
    expect(checkParameters(app, {}).values).toEqual({ region: 'login' });
    expect([urlOf(app, {}), urlOf(app, { region: 'test' })]).toEqual([
      'https://login.acme.example/v1',
      'https://test.acme.example/v1',
    ]);
  });
});

describe('parameters in APPS_FILE', () => {
  it.each<[string, unknown, string]>([
    ['neither pattern nor choices', { description: '' }, 'region.pattern: is missing'],
    ['both', { ...REGION, pattern: 'us' }, 'region.choices: must be left out beside pattern'],
    ['no choice', { description: '', choices: {} }, 'region.choices: must not be empty'],
    ['a bad choice', { description: '', choices: { 'e-u': 'x' } }, 'region.choices["e-u"]: must be made of'],
    ['a text with a slash', { description: '', choices: { eu: 'x/' } }, 'region.choices.eu: must be made of'],
    ['a default that is no choice', { ...REGION, default: 'uk' }, 'region.default: must be one of the choices'],
    [
      'a default off the pattern',
      { description: '', pattern: 'a', default: 'b' },
      'region.default: must match the pattern',
    ],
    ['an empty default', { description: '', pattern: 'a*', default: '' }, 'region.default: must not be empty'],
  ])('may not have %s', (_, region, line) => {
    expect(parse({ region }).faults).toEqual([expect.stringContaining(`APPS_FILE[0].parameters.${line}`)]);
  });

  it.each([
    ['https://acme.{region}', { eu: 'example' }, undefined],
    ['https://{tenant}.{region}.example', { eu: 'acme', us: 'acme-us' }, undefined],
    ['https://{tenant}{region}', { eu: '.acme.example', us: 'x' }, 'must have a host that ends in a fixed name'],
    ['https://{tenant}{region}', { us: '' }, 'must have a host that ends in a fixed name'],
    ['https://{region}', { eu: 'acme.example', us: '' }, 'is not an address'],
    ['https://acme.example/{region}/x', { eu: '..' }, 'must write its path as it is sent: /x'],
  ])('must make a safe URL with each choice: %s with %j', (baseUrl, choices, fault) => {
    const { faults } = parse(
      { region: { description: '', choices }, tenant: { description: '', pattern: '.*' } },
      baseUrl,
    );
    expect(faults).toEqual(fault === undefined ? [] : [`APPS_FILE[0].api_base_url: ${fault}`]);
  });
});

describe('regions of the catalog', () => {
  it.each<[string, Record<string, string>, string]>([
    ['intercom', {}, 'https://api.intercom.io'],
    ['intercom', { region: 'eu' }, 'https://api.eu.intercom.io'],
    ['intercom', { region: 'au' }, 'https://api.au.intercom.io'],
    ['okta', { org: 'acme' }, 'https://acme.okta.com/api/v1'],
    ['okta', { org: 'acme', domain: 'oktapreview' }, 'https://acme.oktapreview.com/api/v1'],
    ['okta', { org: 'acme', domain: 'okta_emea' }, 'https://acme.okta-emea.com/api/v1'],
    ['pagerduty', {}, 'https://api.pagerduty.com'],
    ['pagerduty', { region: 'eu' }, 'https://api.eu.pagerduty.com'],
    ['quickbooks', { company_id: '7' }, 'https://quickbooks.api.intuit.com/v3/company/7'],
    [
      'quickbooks',
      { company_id: '7', environment: 'sandbox' },
      'https://sandbox-quickbooks.api.intuit.com/v3/company/7',
    ],
    ['sendgrid', {}, 'https://api.sendgrid.com'],
    ['sendgrid', { region: 'eu' }, 'https://api.eu.sendgrid.com'],
    ['sentry', {}, 'https://us.sentry.io/api/0'],
    ['sentry', { region: 'eu' }, 'https://de.sentry.io/api/0'],
    ['typeform', {}, 'https://api.typeform.com'],
    ['typeform', { region: 'eu' }, 'https://api.eu.typeform.com'],
  ])('%s with %j is at %s', (type, parameters, url) => {
    const app: App = catalog.find((one) => one.type === type)!;
    expect(checkParameters(app, parameters).details).toEqual([]);
    expect(urlOf(app, parameters)).toBe(url);
  });

  it.each([
    [{}, 'https://login.salesforce.com/services/oauth2/authorize'],
    [{ my_domain: 'test' }, 'https://test.salesforce.com/services/oauth2/authorize'],
    [{ my_domain: 'acme--dev.sandbox.my' }, 'https://acme--dev.sandbox.my.salesforce.com/services/oauth2/authorize'],
  ])('salesforce with %j signs in at %s', (parameters, url) => {
    const app: App = catalog.find(({ type }) => type === 'salesforce')!;
    const { authorizationUrl } = app.auths[0] as { authorizationUrl: string };
    expect(checkParameters(app, parameters).details).toEqual([]);
    expect(fillAppUrl(app, authorizationUrl, parameters as Record<string, string>)).toBe(url);
  });
});
