import { CONNECTIONS_PER_KEY, ConnectionCount } from '../../src/transports/graphql/subscriptions/connection-count.js';

describe('connections of a key', () => {
  it('are 1,000: one more gets no place until one is released, and other keys are not affected', () => {
    const count = new ConnectionCount();
    const held = Array.from({ length: CONNECTIONS_PER_KEY }, () => count.take('key'));
    expect([CONNECTIONS_PER_KEY, held.every((release) => release !== undefined)]).toEqual([1_000, true]);
    expect(count.take('key')).toBeUndefined();
    expect(count.take('other')).toBeDefined();
    held[0]!();
    // Releasing one place twice frees one place.
    held[0]!();
    expect([count.take('key') !== undefined, count.take('key')]).toEqual([true, undefined]);
  });
});
