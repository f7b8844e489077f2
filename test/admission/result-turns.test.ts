import { describe, expect, it } from '@jest/globals';
import { PATIENCE_MS } from '../../src/platform/admission/no-turn.js';
import { nextTurn } from '../../src/platform/admission/pace.js';
import { ResultTurns } from '../../src/platform/admission/responses/result-turns.js';
import { accountsAtWork, workFor } from '../../src/platform/admission/work.js';

/** 400 values are estimated as 1.6 ms: three results are within 5 ms. */
const VALUES = 400;
const AT_ONCE = 3;

describe('results that accounts begin', () => {
  /** Turns whose rests last until `end` is called. */
  function open() {
    const log: string[] = [];
    const rests: { milliseconds: number; end: () => void }[] = [];
    const clock = { now: 0 };
    const turns = new ResultTurns(
      () => clock.now,
      (milliseconds) => new Promise((resolve) => rests.push({ milliseconds, end: resolve })),
    );
    const begin = async (account: string, values = VALUES, patience = Infinity): Promise<void> => {
      await turns.take(account, values, patience);
      log.push(account);
    };
    return { log, rests, clock, turns, begin };
  }
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  };
  const mix = (): void => ['a', 'b'].forEach((account) => accountsAtWork.note(account));

  it('wait for nothing while the account is alone', async () => {
    // The company of an earlier test has left.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { log, begin } = open();
    for (let count = 0; count < 50; count += 1) void begin('a');
    await settle();
    expect(log).toHaveLength(50);
  });

  it('are few at once in company, in each moment; more come one at a time, accounts in turn', async () => {
    const { log, rests, clock, begin } = open();
    mix();
    for (let count = 0; count < AT_ONCE + 3; count += 1) void begin('a');
    for (let count = 0; count < AT_ONCE + 3; count += 1) void begin('b');
    await settle();
    expect([...log].sort()).toEqual([...Array<string>(AT_ONCE + 1).fill('a'), ...Array<string>(AT_ONCE).fill('b')]);
    expect(rests).toHaveLength(1);
    for (let count = 0; count < 3; count += 1) {
      clock.now += 2;
      rests.at(-1)!.end();
      await settle();
    }
    expect(log.slice(2 * AT_ONCE + 1)).toEqual(['b', 'a', 'b']);
    mix();
    clock.now = 100;
    void begin('a');
    await settle();
    expect(log).toHaveLength(2 * AT_ONCE + 5);
  });

  it('are followed by a rest of the estimated time, which has a limit: the rest of a long result has slices', async () => {
    const { rests, begin } = open();
    mix();
    for (const values of [3_000, 100_000]) void begin('a', values);
    await settle();
    rests[0]!.end();
    await settle();
    expect(rests.map(({ milliseconds }) => milliseconds)).toEqual([expect.closeTo(9.4), 10]);
  });

  it('are refused after their patience, and need no rest then', async () => {
    const { log, rests, turns, begin } = open();
    mix();
    void begin('a', 3_000);
    await settle();
    await expect(turns.take('a', 3_000, 1)).rejects.toMatchObject({ code: 'rate_limited', options: { retryAfter: 1 } });
    const last = begin('a', 3_000);
    rests[0]!.end();
    await last;
    expect([log.length, rests.length, PATIENCE_MS]).toEqual([2, 2, 5_000]);
  });

  it('need no rest for a client that has left', async () => {
    const { log, rests, begin } = open();
    mix();
    const client = new AbortController();
    for (let count = 0; count < 3; count += 1) void workFor('a', () => begin('a', 3_000), { client });
    await settle();
    expect(log).toHaveLength(1);
    client.abort();
    rests[0]!.end();
    await settle();
    expect([log.length, rests.length]).toEqual([3, 1]);
  });
});
