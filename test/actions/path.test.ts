import { describe, expect, it } from '@jest/globals';
import { isStepName, parsePath, resolvePath, unknownName } from '../../src/features/actions/placeholders/path.js';

const posted = JSON.parse(`{
  "order": { "id": 7, "none": null, "no": false, "empty": "" },
  "items": [{ "id": "a" }, { "id": "b" }, { "id": "c" }],
  "12": "twelve",
  "text": "abc",
  "__proto__": { "polluted": true },
  "constructor": "ACME"
}`);
const scope = { trigger: { body: posted, type: 'webhook', id: null }, steps: {}, run: { id: 'run_1' } };

describe('resolvePath', () => {
  it.each([
    ['trigger.body.order.id', 7],
    ['trigger.body.order.none', null],
    ['trigger.body.order.no', false],
    ['trigger.body.order.empty', ''],
    ['trigger.body.items.2.id', 'c'],
    ['trigger.body.items', posted.items],
    ['trigger.body.12', 'twelve'],
    ['trigger.type', 'webhook'],
    ['trigger.id', null],
    ['run.id', 'run_1'],
  ])('finds %s', (path, value) => {
    expect(resolvePath(scope, parsePath(path))).toEqual(value);
  });

  it.each([
    'trigger.body.nothing',
    'trigger.body.order.id.x',
    'trigger.body.order.none.x',
    'trigger.body.items.3',
    'trigger.body.items.-1',
    'trigger.body.items.01',
    'trigger.body.items.length',
    'trigger.body.items.map',
    'trigger.body.text.length',
    'trigger.body.text.0',
    'trigger.body.order.__proto__',
    'trigger.body.order.constructor',
    'trigger.body.order.toString',
    'trigger.body.order.hasOwnProperty',
    'steps.__proto__',
    'steps.constructor.name',
    'steps.fetch.body',
  ])('finds nothing at %s', (path) => {
    expect(resolvePath(scope, parsePath(path))).toBeUndefined();
  });

  it('treats keys named __proto__ or constructor as data', () => {
    expect(resolvePath(scope, parsePath('trigger.body.__proto__.polluted'))).toBe(true);
    expect(resolvePath(scope, parsePath('trigger.body.constructor'))).toBe('ACME');
    expect(resolvePath(scope, parsePath('trigger.body.constructor.name'))).toBeUndefined();
  });

  it('calls no getter', () => {
    const trap = {
      get secret(): string {
        throw new Error('called');
      },
    };
    expect(resolvePath({ trigger: { body: trap } }, ['trigger', 'body', 'secret'])).toBeUndefined();
  });
});

describe('isStepName', () => {
  it.each(['fetch', 'Fetch order', 'get-user', 'Étape 1', '名前', 'a|b', '__proto__', '1'])('admits %j', (name) => {
    expect(isStepName(name)).toBe(true);
    expect(parsePath(`steps.${name}.body.x`)).toEqual(['steps', name, 'body', 'x']);
  });

  it.each(['', ' ', ' a', 'a ', 'a.b', 'a}b', '{a', 'a\nb', 'a\0', 'a\u2028b', '\ufeffa'])('refuses %j', (name) => {
    expect(isStepName(name)).toBe(false);
  });
});

describe('unknownName', () => {
  const names = {
    earlier: new Set(['fetch']),
    waits: new Map([['ask', 'approval'] as const, ['user', 'connection'] as const]),
  };

  it('refuses steps that are not earlier', () => {
    expect(unknownName(['steps', 'fetch', 'body'], names)).toBeUndefined();
    expect(unknownName(['run', 'id'], names)).toBeUndefined();
    expect(unknownName(['steps', 'Fetch'], names)).toBe('no earlier action of the workflow has the name "Fetch"');
  });

  it('refuses waits of other actions, and the parts that they do not have', () => {
    expect(unknownName(['waits', 'ask', 'url'], names)).toBeUndefined();
    expect(unknownName(['waits', 'user', 'connect_url'], names)).toBeUndefined();
    expect(unknownName(['waits', 'fetch', 'url'], names)).toBe('waits must name an action of the workflow that waits');
    expect(unknownName(['waits', 'ask', 'connect_url'], names)).toBe(
      'the wait of that action has a url, and no connect_url',
    );
    expect(unknownName(['waits', 'user', 'url'], names)).toBe('the wait of that action has a connect_url, and no url');
  });
});
