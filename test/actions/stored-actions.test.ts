import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { storedActions } from '../../src/features/actions/lists/stored-actions.js';

describe('the actions in the text of a list', () => {
  it('are those that were stored, whatever their configs hold', () => {
    const action = fc.record({
      name: fc.string({ unit: 'binary' }),
      kind: fc.constantFrom('delay', 'http_request'),
      config: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 5 }), (actions) => {
        const text = JSON.stringify(actions.map(({ name, kind, config }) => ({ name, kind, config })));
        expect(JSON.stringify(storedActions(text))).toBe(text);
      }),
    );
  });

  it('may have quotes, backslashes and brackets in their names', () => {
    const text = JSON.stringify([
      { name: '"]},{\\', kind: 'delay', config: { '"}]\\': ['\\"]}', {}, []], __proto: 1 } },
    ]);
    expect(JSON.stringify(storedActions(text))).toBe(text);
  });
});
