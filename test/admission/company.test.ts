import { performance } from 'node:perf_hooks';
import { mock } from 'node:test';
import { describe, expect, it } from '@jest/globals';
import { Company, restWhileBusy } from '../../src/platform/admission/company.js';

describe('an account', () => {
  it('is in company for a second after work of another, and alone otherwise', () => {
    let now = 0;
    const company = new Company(() => now);
    company.note('a');
    company.note('a');
    expect(company.isMixed).toBe(false);
    company.note('b');
    expect(company.isMixed).toBe(true);
    now = 999;
    company.note('b');
    expect(company.isMixed).toBe(true);
    now = 1_000;
    expect(company.isMixed).toBe(false);
  });
});

describe('a rest while the event loop is busy', () => {
  /** The looks at the event loop during a rest, of which the first so many find it busy. */
  async function looksOf(busy: number, most?: number): Promise<number> {
    let looks = -1;
    const use = mock.method(performance, 'eventLoopUtilization', () => {
      looks += 1;
      return { idle: 0, active: 0, utilization: looks <= busy ? 0.7 : 0.5 };
    });
    await restWhileBusy(1, most).finally(() => use.mock.restore());
    return looks;
  }

  it('ends once the loop has time left, or as the longest one', async () => {
    expect(await looksOf(0)).toBe(1);
    expect(await looksOf(3, Infinity)).toBe(4);
    expect(await looksOf(Infinity, 0)).toBe(1);
  });
});
