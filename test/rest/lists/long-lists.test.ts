import { describe, expect, it } from '@jest/globals';
import { GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import { coerceVariables } from '../../../src/transports/rest/variables.js';

const TEXT = { type: new GraphQLNonNull(GraphQLString) };
const type = new GraphQLList(new GraphQLInputObjectType({ name: 'Item', fields: { name: TEXT, kind: TEXT } }));

describe('a list of a request', () => {
  it('is checked until 100 errors are found: no more are reported', () => {
    const looked = new Set<PropertyKey>();
    const list = new Proxy(
      Array.from({ length: 30_000 }, () => ({})),
      {
        get(target, key, receiver) {
          if (/^\d+$/.test(String(key))) looked.add(key);
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    const given = { path: {}, rest: { items: list }, isText: false, faults: [], rules: () => [] };
    const coerce = () => coerceVariables([{ name: 'items', type, default: undefined }], given);
    expect(coerce).toThrow(
      expect.objectContaining({
        details: expect.arrayContaining([{ field: 'items.49.kind', message: 'is required' }]) as unknown,
      }),
    );
    expect(looked.size).toBeLessThanOrEqual(51);
  });
});
