import fc from 'fast-check';
import { getHeapStatistics } from 'node:v8';
import { AppError, validationError } from '../../../src/platform/errors.js';
import { urlTemplatesOf, defineApp, type AppDefinition } from '../../../src/features/integrations/apps/app.js';
import { fillUrlTemplate } from '../../../src/features/integrations/apps/urls/fill-url-template.js';
import { checkParameters } from '../../../src/features/integrations/apps/parameters.js';

/** An app whose patterns accept anything, so that only the shape of its URLs protects it. */
const open = defineApp({
  type: 'open_app',
  name: 'Open',
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://{tenant}.acme.example:8443/{realm}/authorize?hint={hint}',
    tokenUrl: 'https://eu-{tenant}.acme.example/{realm}/token',
    scopes: [],
  },
  apiBaseUrl: 'https://{tenant}.acme.example/v{realm}',
  parameters: {
    tenant: { description: '', pattern: '[^]*' },
    realm: { description: '', pattern: '[^]*' },
    hint: { description: '', pattern: '[^]*' },
  },
});

const strict = defineApp({
  type: 'strict_app',
  name: 'Strict',
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'X-Key' },
    verify: { method: 'GET', url: 'https://{tenant}.acme.example/me', ok: [200] },
  },
  apiBaseUrl: 'https://{tenant}.acme.example',
  parameters: { tenant: { description: '', pattern: 'a|[a-z]{3}' } },
});

const key = {
  kind: 'api_key',
  placement: { in: 'header', name: 'X-Key' },
  verify: { method: 'GET', url: 'https://a.example/me', ok: [200] },
} as const satisfies AppDefinition['auth'];

const HOST_ATTACKS = [
  'evil.com/',
  'evil.com/?',
  'evil.com#',
  'evil.com?x=',
  'evil.com\\',
  '/evil.com',
  '//evil.com',
  'a@b',
  'user:pass@evil.com',
  'x:8080',
  'x:8080/',
  '..',
  '.',
  'a..b',
  '.a',
  'a.',
  '-a',
  'a-',
  '%2e%2e',
  'evil.com%2f',
  'evil%2Ecom%23',
  'evil。com。',
  'evil.com/',
  'ævil',
  'e​vil',
  'a\tb',
  'a\nb',
  'a\r\nHost: evil.com',
  ' a',
  'a b',
  '\u0000',
  '\ud800',
  '[::1]',
  '127.0.0.1:80#',
  '{tenant}',
  '\u202eevil',
  '',
];

describe('a value in the host of a URL', () => {
  it.each(HOST_ATTACKS)('is refused when it would change its shape: %j', (tenant) => {
    const { values, details } = checkParameters(open, { tenant, realm: 'r', hint: 'h' });
    expect(details.map(({ field }) => field)).toContain('parameters.tenant');
    expect(values).toEqual({});
  });

  it.each(['acme', 'ACME', 'eu.acme', 'a_b', 'a--b', '1', '0x7f', 'evil.com', 'xn--80ak6aa92e', 'constructor'])(
    'is accepted when it only fills its placeholder: %j',
    (tenant) => {
      expect(checkParameters(open, { tenant, realm: 'r', hint: 'h' }).details).toEqual([]);
      expect(new URL(fillUrlTemplate(open.apiBaseUrl, { tenant, realm: 'r' })).hostname).toMatch(/\.acme\.example$/);
    },
  );

  it('is matched without a new V8 context each time, even if a pattern backtracks catastrophically', () => {
    const endless = defineApp({
      type: 'endless_app',
      name: 'Endless',
      auth: key,
      apiBaseUrl: 'https://a.example/{tenant}',
      parameters: { tenant: { description: '', pattern: '(a+)+b' } },
    });
    const contexts = () => getHeapStatistics().number_of_native_contexts;
    checkParameters(strict, { tenant: 'abc' });
    const before = contexts();
    for (let n = 0; n < 50; n += 1) expect(checkParameters(strict, { tenant: 'abc' }).details).toEqual([]);
    expect(contexts() - before).toBeLessThanOrEqual(0);
    expect(checkParameters(endless, { tenant: 'a'.repeat(255) }).details[0]!.message).toMatch(/must match/);
    expect(checkParameters(endless, { tenant: 'aab' }).details).toEqual([]);
  });

  it('of a hundred thousand unknown names is refused with a hundred errors', () => {
    const names = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`n${index}`, '']));
    const [first, ...rest] = checkParameters(strict, names).details;
    expect(validationError(first!, ...rest).details).toHaveLength(100);
  });

  it('never leaves the fixed part of the host, whatever it is', () => {
    const { tokenUrl } = open.auths[0] as { tokenUrl: string };
    const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.webUrl(), fc.domain(), fc.ipV6());
    fc.assert(
      fc.property(anything, anything, (tenant, realm) => {
        const { details } = checkParameters(open, { tenant, realm, hint: realm });
        if (details.length > 0) return;
        const url = new URL(fillUrlTemplate(tokenUrl, { tenant, realm }));
        expect([url.protocol, url.username, url.password, url.port, url.hash]).toEqual(['https:', '', '', '', '']);
        expect(url.hostname.endsWith('.acme.example')).toBe(true);
        expect(url.pathname.split('/')).toHaveLength(3);
        expect(url.pathname.endsWith('/token')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a value in the path or query of a URL', () => {
  it.each([
    ['a/b', 'a%2Fb'],
    ['../..', '..%2F..'],
    ['%2e%2e', '%252e%252e'],
    ['a?x=1&y#z', 'a%3Fx%3D1%26y%23z'],
    ['\\evil.com', '%5Cevil.com'],
    ['a b+c', 'a%20b%2Bc'],
    ["'(*)!", '%27%28%2A%29%21'],
    ['é', '%C3%A9'],
  ])('stays in its place, percent-encoded: %j', (value, encoded) => {
    expect(checkParameters(open, { tenant: 't', realm: value, hint: value }).details).toEqual([]);
    expect(fillUrlTemplate('https://a.example/{realm}/x?h={hint}&k=1', { realm: value, hint: value })).toBe(
      `https://a.example/${encoded}/x?h=${encoded}&k=1`,
    );
  });

  it.each(['.', '..'])('is refused when it names another folder: %j', (realm) => {
    const { details } = checkParameters(open, { tenant: 't', realm, hint: 'h' });
    expect(details).toContainEqual({ field: 'parameters.realm', message: 'must not change the shape of an address' });
  });
});

describe('checkParameters', () => {
  it.each([
    ['abc', []],
    ['a', []],
    ['ab', ['must match a|[a-z]{3}']],
    ['abcd', ['must match a|[a-z]{3}']],
    ['xa', ['must match a|[a-z]{3}']],
    ['abc\n', ['must have no control characters or lone surrogates']],
    ['ABC', ['must match a|[a-z]{3}']],
    ['', ['must not be empty']],
    ['a'.repeat(256), ['must have at most 255 characters']],
    [7, ['must be a text']],
    [['abc'], ['must be a text']],
    [null, ['is required']],
    [undefined, ['is required']],
  ])('matches the whole value: %j', (tenant, messages) => {
    const { values, details } = checkParameters(strict, { tenant });
    expect(details).toEqual(messages.map((message) => ({ field: 'parameters.tenant', message })));
    expect(values).toEqual(messages.length === 0 ? { tenant } : {});
  });

  it('refuses unknown names and inherited values', () => {
    const given = JSON.parse('{ "tenant": "abc", "region": "eu", "__proto__": "x" }') as unknown;
    expect(checkParameters(strict, given).details).toEqual([
      { field: 'parameters.region', message: 'is not a parameter of strict_app' },
      { field: 'parameters.__proto__', message: 'is not a parameter of strict_app' },
    ]);
    expect(checkParameters(strict, Object.create({ tenant: 'abc' })).details).toEqual([
      { field: 'parameters.tenant', message: 'is required' },
    ]);
  });

  it.each([[[]], ['tenant'], [7], [true]])('refuses a value that is not an object: %j', (given) => {
    expect(checkParameters(strict, given).details).toEqual([{ field: 'parameters', message: 'must be an object' }]);
  });

  it.each([[undefined], [null], [{}]])('accepts %j for an app without parameters', (given) => {
    const app = defineApp({ type: 'bare', name: 'Bare', auth: key, apiBaseUrl: 'https://a.example' });
    expect(checkParameters(app, given)).toEqual({ values: {}, details: [] });
    expect(urlTemplatesOf(app)).toEqual(['https://a.example/me', 'https://a.example']);
  });

  it('stops a pattern that backtracks catastrophically', () => {
    const slow = defineApp({
      type: 'slow',
      name: 'Slow',
      auth: key,
      apiBaseUrl: 'https://{p}.a.example',
      parameters: { p: { description: '', pattern: '(a+)+' } },
    });
    expect(checkParameters(slow, { p: `${'a'.repeat(250)}!` }).details).toEqual([
      { field: 'parameters.p', message: 'must match (a+)+' },
    ]);
    expect(checkParameters(slow, { p: 'aaa' }).details).toEqual([]);
  });
});

describe('fillUrlTemplate', () => {
  it('returns the text of the template, not a normalised URL', () => {
    expect(fillUrlTemplate('https://{tenant}.okta.example', { tenant: 'ACME' })).toBe('https://ACME.okta.example');
  });

  it('refuses a missing or unsafe value even if it was not checked before', () => {
    const fieldOf = (parameters: Record<string, string>): string | undefined => {
      try {
        fillUrlTemplate('https://{tenant}.acme.example/', parameters);
        return undefined;
      } catch (error) {
        return error instanceof AppError ? error.details?.[0]?.field : 'another error';
      }
    };
    expect(fieldOf({})).toBe('parameters.tenant');
    expect(fieldOf({ tenant: 'evil.com/' })).toBe('parameters.tenant');
    expect(fieldOf({ tenant: 'acme' })).toBeUndefined();
  });
});
