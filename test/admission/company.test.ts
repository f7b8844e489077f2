import { describe, expect, it } from '@jest/globals';
import { Company } from '../../src/platform/admission/company.js';

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
