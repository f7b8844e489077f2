import { describe, expect, it } from '@jest/globals';
import { type ActionKind } from '../../src/features/actions/action-kind.js';
import { type ActionInput } from '../../src/features/actions/action.inputs.js';
import { validateActions } from '../../src/features/actions/validate-actions.js';
import { type AppError, type ErrorDetail } from '../../src/platform/errors.js';
import { cpuTime } from '../support/runner/cpu-time.js';

type Config = Record<string, unknown>;

const VALID: Record<ActionKind, Config> = {
  http_request: { method: 'POST', url: 'https://api.example.com/orders' },
  app_request: { integration_id: 'int_01h455vb4pex5vsknk084sn02q', method: 'GET', path: '/me' },
  condition: { path: 'trigger.body.total', operator: 'greater_than', value: 10 },
  delay: { seconds: 60 },
  send_email: { to: 'ada@example.com', subject: 'Hello', text: 'Line 1\nLine 2' },
  wait_for_approval: { title: 'Refund of order 7' },
  wait_for_callback: {},
  wait_for_connection: { type: 'slack', reference: 'user_7' },
};

const action = (name: string, kind: ActionKind, config: Config = {}): ActionInput => ({
  name,
  kind,
  config: { ...VALID[kind], ...config },
});

function details(actions: ActionInput[]): ErrorDetail[] {
  try {
    const validation = validateActions(
      actions,
      { strictNames: false, ignoredNames: new Set() },
      (type) => type === 'slack',
    );
    for (let step = validation.next(); step.done !== true;) step = validation.next();
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'validation_error' });
    return (error as AppError).details!;
  }
}

/** The errors of one action with some changed config keys, as `field: message` without the constant prefix. */
function faults(kind: ActionKind, config: Config): string[] {
  return details([action('fetch', 'http_request'), action('it', kind, config)]).map(({ field, message }) =>
    `${field}: ${message}`.replace('actions.1.config.', ''),
  );
}

describe.each<[ActionKind, Config[]]>([
  [
    'http_request',
    [
      {},
      { method: 'DELETE' },
      { method: '{{ trigger.body.method }}' },
      { url: 'http://localhost:3000' },
      { url: 'HTTPS://EXAMPLE.com/a b?c=d#e' },
      { url: 'http://[::1]:8080/' },
      { url: '{{ trigger.body.url }}' },
      { url: '{{ trigger.body.host }}/x' },
      { url: 'https://{{ trigger.body.host }}:{{ trigger.body.port }}/x' },
      { url: 'https://example.com/{{ steps.fetch.body.id }}?at=me@example.com' },
      { headers: {} },
      { headers: null },
      { headers: { Authorization: 'Bearer {{ trigger.body.token }}', 'X-A_b.1': 'tab\tand é', Accept: '' } },
      { headers: { 'Idempotency-Key': 'k' } },
      { body: null },
      { body: 'text' },
      { body: [{ deep: ['{{ trigger.body }}', '\\{{ x }}', 1, null] }] },
      { retries: 3, constructor: 'kept' },
    ],
  ],
  [
    'app_request',
    [
      {},
      { path: '/' },
      { path: '/users/{{ trigger.body.id }}?a=b//c' },
      { path: '/{{ trigger.body.id }}' },
      { integration_id: '{{ trigger.body.integration }}' },
      { integration_id: 'anything, looked up later' },
      { headers: { 'X-A': '1' }, body: { a: 1 } },
    ],
  ],
  [
    'condition',
    [
      {},
      { path: 'steps.fetch.body.items.0', operator: 'exists', value: undefined },
      { path: 'run.id', operator: 'not_exists', value: null },
      { operator: 'equals', value: null },
      { operator: 'not_equals', value: { a: [1] } },
      { operator: 'contains', value: 'x' },
      { operator: 'less_than', value: '{{ trigger.body.limit }}' },
    ],
  ],
  ['delay', [{}, { seconds: 0.5 }, { seconds: 86_400 }, { seconds: '{{ trigger.body.wait }}' }]],
  [
    'send_email',
    [
      {},
      { to: ['a@example.com', '{{ trigger.body.email }}'] },
      { to: '{{ trigger.body.email }}' },
      { to: '{{ trigger.body.user }}@example.com' },
      { to: 'root@localhost' },
      { to: Array.from({ length: 50 }, (_, index) => `a${index}@example.com`) },
      { subject: 'Ünï {{ run.id }}' },
      { subject: 'x'.repeat(998) },
      { text: '' },
    ],
  ],
])('the config of %s', (kind, configs) => {
  it.each(configs)('is taken with %j', (config) => {
    expect(faults(kind, config)).toEqual([]);
  });
});

const METHODS = 'method: must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const CONTROL = 'must not contain line breaks or other control characters';
const LATIN_1 = 'must be Latin-1 text without line breaks or other control characters';
const SCHEME = 'url: must start with http:// or https://';
const USERINFO = 'url: must not contain a user name or password';
const SLASH = 'path: must begin with exactly one /';
const FRAGMENT = 'path: must not contain #; write it as %23';
const OPERATORS = 'operator: must be one of equals, not_equals, contains, exists, not_exists, greater_than, less_than';
const SECONDS = 'seconds: must be a number above 0 and at most 86,400, or one placeholder';
const earlier = (name: string) => `no earlier action of the workflow has the name "${name}"`;

describe('a config is refused', () => {
  it.each<[ActionKind, Config, string]>([
    ['http_request', { method: undefined }, 'method: is required'],
    ['http_request', { method: null }, 'method: must be a text'],
    ['http_request', { method: 'get' }, METHODS],
    ['http_request', { method: 'CONNECT' }, METHODS],
    ['http_request', { method: '' }, METHODS],
    ['http_request', { url: undefined }, 'url: is required'],
    ['http_request', { url: 7 }, 'url: must be a text'],
    ['http_request', { url: '' }, SCHEME],
    ['http_request', { url: '/relative' }, SCHEME],
    ['http_request', { url: 'ftp://example.com' }, SCHEME],
    ['http_request', { url: 'javascript:alert(1)' }, SCHEME],
    ['http_request', { url: ' https://example.com' }, SCHEME],
    ['http_request', { url: 'https:example.com' }, SCHEME],
    ['http_request', { url: 'http{{ trigger.body.s }}://example.com' }, SCHEME],
    ['http_request', { url: 'https://' }, 'url: The address is not a valid URL.'],
    ['http_request', { url: 'https://exa mple.com' }, 'url: The address is not a valid URL.'],
    ['http_request', { url: 'https://example.com:99999' }, 'url: The address is not a valid URL.'],
    ['http_request', { url: 'https://exam\nple.com' }, `url: ${CONTROL}`],
    ['http_request', { url: 'https://ada:pw@example.com' }, USERINFO],
    ['http_request', { url: 'https://@example.com' }, USERINFO],
    ['http_request', { url: 'https://{{ trigger.body.key }}@example.com' }, USERINFO],
    ['http_request', { headers: 'X-A: 1' }, 'headers: must be an object of texts'],
    ['http_request', { headers: ['X-A'] }, 'headers: must be an object of texts'],
    ['http_request', { headers: { 'X A': '1' } }, 'headers.X A: is not a legal header name'],
    ['http_request', { headers: { 'X-A\r\nB': '1' } }, 'headers.X-A\r\nB: is not a legal header name'],
    ['http_request', { headers: { '': '1' } }, 'headers.: is not a legal header name'],
    ['http_request', { headers: { '{{ run.id }}': '1' } }, 'headers.{{ run.id }}: is not a legal header name'],
    ['http_request', { headers: { 'X-A': 1 } }, 'headers.X-A: must be a text'],
    ['http_request', { headers: { 'X-A': null } }, 'headers.X-A: must be a text'],
    ['http_request', { headers: { 'X-A': 'a\r\nB: c' } }, `headers.X-A: ${LATIN_1}`],
    ['http_request', { headers: { 'X-A': 'a\n{{ run.id }}' } }, `headers.X-A: ${LATIN_1}`],
    ['http_request', { headers: { 'X-A': '€' } }, `headers.X-A: ${LATIN_1}`],
    ['http_request', { headers: { Host: 'x' } }, "headers.Host: The header host can't be set."],
    [
      'http_request',
      { headers: { 'content-length': '1' } },
      "headers.content-length: The header content-length can't be set.",
    ],
    ['app_request', { integration_id: undefined }, 'integration_id: is required'],
    ['app_request', { integration_id: 7 }, 'integration_id: must be a text'],
    ['app_request', { method: 'FETCH' }, METHODS],
    ['app_request', { path: undefined }, 'path: is required'],
    ['app_request', { path: '/channels/#general' }, FRAGMENT],
    ['app_request', { path: '/tags/#{{ trigger.body.t }}?limit=5' }, FRAGMENT],
    ['app_request', { path: '' }, SLASH],
    ['app_request', { path: 'me' }, SLASH],
    ['app_request', { path: '//evil.example' }, SLASH],
    ['app_request', { path: '/\\evil.example' }, SLASH],
    ['app_request', { path: '{{ trigger.body.path }}' }, SLASH],
    ['app_request', { path: 'https://evil.example/' }, SLASH],
    ['app_request', { path: '/\t/evil.example' }, `path: ${CONTROL}`],
    ['app_request', { headers: { Upgrade: 'x' } }, "headers.Upgrade: The header upgrade can't be set."],
    ['condition', { path: undefined }, 'path: is required'],
    ['condition', { path: 7 }, 'path: must be a text'],
    ['condition', { path: '{{ trigger.body.x }}' }, 'path: must be a dotted path without braces'],
    ['condition', { path: 'body.x' }, 'path: a path must begin with trigger, steps, waits or run'],
    [
      'condition',
      { path: 'trigger.body.a b' },
      'path: a path is keys joined by dots: letters, digits and _ $ @ # : - only',
    ],
    ['condition', { path: 'steps.later.body' }, `path: ${earlier('later')}`],
    ['condition', { operator: undefined }, 'operator: is required'],
    ['condition', { operator: 'EQUALS' }, OPERATORS],
    ['condition', { operator: '{{ trigger.body.operator }}' }, OPERATORS],
    ['condition', { operator: 'equals', value: undefined }, 'value: is required'],
    ['condition', { operator: 'contains', value: undefined }, 'value: is required'],
    ['condition', { value: null }, 'value: must be a number or a text'],
    ['condition', { operator: 'less_than', value: [1] }, 'value: must be a number or a text'],
    ['delay', { seconds: undefined }, 'seconds: is required'],
    ['delay', { seconds: 0 }, SECONDS],
    ['delay', { seconds: -1 }, SECONDS],
    ['delay', { seconds: 86_400.5 }, SECONDS],
    ['delay', { seconds: Infinity }, SECONDS],
    ['delay', { seconds: null }, SECONDS],
    ['delay', { seconds: '60' }, SECONDS],
    ['delay', { seconds: '' }, SECONDS],
    ['delay', { seconds: '1{{ trigger.body.x }}' }, SECONDS],
    ['send_email', { to: undefined }, 'to: is required'],
    ['send_email', { to: null }, 'to: must be a text'],
    ['send_email', { to: '' }, 'to: must be an email address'],
    ['send_email', { to: 'ada' }, 'to: must be an email address'],
    ['send_email', { to: 'Ada <ada@example.com>' }, 'to: must be an email address'],
    ['send_email', { to: 'a@example.com, b@example.com' }, 'to: must be an email address'],
    ['send_email', { to: 'a@example.com\r\nBcc: b@example.com' }, `to: ${CONTROL}`],
    ['send_email', { to: '{{ trigger.body.to }}\n' }, `to: ${CONTROL}`],
    ['send_email', { to: [] }, 'to: must be one address, or a list of 1 to 50'],
    ['send_email', { to: Array.from({ length: 51 }, () => 'a@b.co') }, 'to: must be one address, or a list of 1 to 50'],
    ['send_email', { to: ['a@example.com', 'b'] }, 'to.1: must be an email address'],
    ['send_email', { to: [['a@example.com']] }, 'to.0: must be a text'],
    ['send_email', { subject: undefined }, 'subject: is required'],
    ['send_email', { subject: '' }, 'subject: must not be empty'],
    ['send_email', { subject: 'x'.repeat(999) }, 'subject: must have at most 998 characters'],
    ['send_email', { subject: 'a\nBcc: b@example.com' }, `subject: ${CONTROL}`],
    ['send_email', { subject: '{{ run.id }}\r' }, `subject: ${CONTROL}`],
    ['send_email', { text: undefined }, 'text: is required'],
    ['send_email', { text: ['x'] }, 'text: must be a text'],
  ])('of kind %s with %j', (kind, config, fault) => {
    expect(faults(kind, config)).toEqual([fault]);
  });

  it.each<[Config, string]>([
    [
      { body: ['a', { b: '{{ x }}' }] },
      'body.1.b: a path must begin with trigger, steps, waits or run (placeholder at position 0)',
    ],
    [
      { unknown: { key: '{{' } },
      'unknown.key: "{{" must be closed by "}}", or written \\{{ when it is meant (placeholder at position 0)',
    ],
    [
      { url: 'https://example.com/{{ x }}' },
      'url: a path must begin with trigger, steps, waits or run (placeholder at position 20)',
    ],
    [{ headers: { 'X-A': '{{ steps.it.body }}' } }, `headers.X-A: ${earlier('it')}`],
    [{ body: '{{ steps.later.body }}' }, `body: ${earlier('later')}`],
    [{ body: '{{ steps.__proto__.body }}' }, `body: ${earlier('__proto__')}`],
    [{ body: ['a', 'b\0'] }, 'body.1: must be well-formed Unicode, without NUL and lone surrogates'],
    [{ body: { 'a\ud800': 1 } }, 'body: must be well-formed Unicode, without NUL and lone surrogates'],
  ])('for the texts in it: %j', (config, fault) => {
    expect(faults('http_request', config)).toEqual([fault]);
  });
});

describe('validateActions', () => {
  it('accepts an empty list and one of 50, not 51', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => action(`a${index}`, 'delay'));
    expect(details([])).toEqual([]);
    expect(details(many(50))).toEqual([]);
    expect(details(many(51))).toEqual([{ field: 'actions', message: 'must hold at most 50 actions' }]);
  });

  it.each([
    ['', 'must not be empty'],
    ['x'.repeat(256), 'must have at most 255 characters'],
    ['a\0', 'must not contain the NUL character'],
    ['a.b', 'must not contain dots, braces, line breaks or space at its ends'],
    [' a', 'must not contain dots, braces, line breaks or space at its ends'],
    ['a{{', 'must not contain dots, braces, line breaks or space at its ends'],
    ['a\nb', 'must not contain dots, braces, line breaks or space at its ends'],
  ])('refuses the name %j', (name, message) => {
    expect(details([action(name, 'delay')])).toEqual([{ field: 'actions.0.name', message }]);
  });

  it('accepts only names that later actions can address, counting code points', () => {
    const name = `${'😀'.repeat(254)}!`;
    expect(details([action(name, 'delay'), action('b', 'http_request', { body: `{{ steps.${name}.x }}` })])).toEqual(
      [],
    );
  });

  it('refuses a name twice', () => {
    expect(details([action('a', 'delay'), action('A', 'delay'), action('a', 'delay')])).toEqual([
      { field: 'actions.2.name', message: 'must be unique in the workflow' },
    ]);
  });

  it('names every error of every action at once', () => {
    const found = details([
      action('', 'delay', { seconds: 0 }),
      action('b', 'send_email', { to: 'x', subject: '{{ y }}' }),
    ]);
    expect(found.map(({ field }) => field)).toEqual([
      'actions.0.name',
      'actions.0.config.seconds',
      'actions.1.config.subject',
      'actions.1.config.to',
    ]);
  });

  it('answers a flood of errors with 100 short ones, in time', async () => {
    const body = { ['k'.repeat(50_000)]: Array.from({ length: 10_000 }, () => '{{') };
    let found: ReturnType<typeof details> = [];
    // Comparing the names of 10,000 fields took five minutes.
    expect(await cpuTime(() => (found = details([action('a', 'http_request', { body })])))).toBeLessThan(2_000);
    expect(found).toHaveLength(100);
    expect(JSON.stringify(found).length).toBeLessThan(50_000);
  });
});
