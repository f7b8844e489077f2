import { describe, expect, it } from '@jest/globals';
import { KeptResults, type Result } from '../../../src/transports/graphql/subscriptions/kept-results.js';

const MB = 2 ** 20;

describe('results that are kept', () => {
  it('have 32 MB together: the oldest are let go first', () => {
    const kept = new KeptResults();
    const results = Array.from({ length: 40 }, (): Result => {
      const written = { began: 1, ended: 2, text: 'x'.repeat(MB) };
      const result: Result = { shared: { written, done: Promise.resolve(written) } };
      kept.keep(result, written);
      return result;
    });
    expect(kept.inUse).toBeLessThanOrEqual(32 * MB);
    expect(results.map(({ shared }) => shared !== undefined)).toEqual(results.map((_, index) => index >= 9));
  });
});
