import { describe, expect, it } from '@jest/globals';
import { ByteRates } from '../../src/platform/admission/byte-rates.js';

/** 1,000 bytes a second by a clock that the test sets. */
function rates() {
  let now = 0;
  return { rates: new ByteRates(1_000, () => now), pass: (ms: number) => (now += ms) };
}

describe('the bytes that an account receives', () => {
  it('may be those of four seconds at once, and of each second from then on', () => {
    const { rates: bytes, pass } = rates();
    bytes.spend('a', 4_000);
    expect(bytes.waitOf('a')).toBe(0);
    bytes.spend('a', 500);
    expect(bytes.waitOf('a')).toBe(500);
    pass(500);
    expect(bytes.waitOf('a')).toBe(0);
    bytes.spend('a', 1);
    expect(bytes.waitOf('a')).toBe(1);
  });

  it('never save up more than four seconds, and count for their account only', () => {
    const { rates: bytes, pass } = rates();
    pass(3_600_000);
    bytes.spend('a', 7_000);
    expect([bytes.waitOf('a'), bytes.waitOf('b')]).toEqual([3_000, 0]);
  });

  it('are waited for until they are paid, or until the signal aborts', async () => {
    const { rates: bytes, pass } = rates();
    const stop = new AbortController();
    expect(bytes.turn('a', stop.signal)).toBeUndefined();
    bytes.spend('a', 4_010);
    const turn = bytes.turn('a', stop.signal);
    pass(10);
    await turn;
    bytes.spend('a', 1_000_000);
    const late = bytes.turn('a', stop.signal);
    stop.abort(new Error('enough'));
    await expect(late).rejects.toThrow('enough');
  });

  it('of accounts that owe nothing are forgotten', () => {
    const { rates: bytes, pass } = rates();
    bytes.spend('debtor', 60_000);
    for (let n = 0; n < 10_000; n += 1) bytes.spend(`a${n}`, 1);
    pass(1_000);
    bytes.spend('new', 1);
    expect(bytes).toMatchObject({
      paidAt: new Map([
        ['debtor', 60_000],
        ['new', 1_001],
      ]),
    });
  });
});
