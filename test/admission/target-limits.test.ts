import { describe, expect, it } from '@jest/globals';
import { TargetLimits } from '../../src/platform/admission/target-limits.js';

const never = new AbortController().signal;

async function enterMany(limits: TargetLimits, host: string, account: string, count: number) {
  return Promise.all(Array.from({ length: count }, () => limits.enter(host, account, never)));
}

/** Whether a promise is settled now. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
}

describe('TargetLimits', () => {
  it('allows 60 calls of an account to a host, and another account still reaches it', async () => {
    const limits = new TargetLimits();
    await enterMany(limits, 'slow.test', 'greedy', 60);
    expect(await isSettled(limits.enter('slow.test', 'greedy', never))).toBe(false);
    expect(await isSettled(limits.enter('slow.test', 'modest', never))).toBe(true);
    expect(await isSettled(limits.enter('other.test', 'greedy', never))).toBe(true);
  });

  it('allows 100 calls to a host in total', async () => {
    const limits = new TargetLimits();
    await enterMany(limits, 'slow.test', 'a', 60);
    await enterMany(limits, 'slow.test', 'b', 40);
    expect(await isSettled(limits.enter('slow.test', 'c', never))).toBe(false);
  });

  it('admits waiting calls in order, and skips those whose account is at its limit', async () => {
    const limits = new TargetLimits();
    const of = { a: await enterMany(limits, 'slow.test', 'a', 60), b: await enterMany(limits, 'slow.test', 'b', 40) };
    const greedy = limits.enter('slow.test', 'a', never);
    const first = limits.enter('slow.test', 'c', never);
    const second = limits.enter('slow.test', 'd', never);
    of.b[0]!();
    expect(await isSettled(first)).toBe(true);
    expect([await isSettled(greedy), await isSettled(second)]).toEqual([false, false]);
    of.a[0]!();
    expect(await isSettled(greedy)).toBe(true);
    expect(await isSettled(second)).toBe(false);
  });

  it('gives up when the signal aborts, and then holds no slot', async () => {
    const limits = new TargetLimits();
    const [leave] = await enterMany(limits, 'slow.test', 'a', 60);
    const stopping = new AbortController();
    const waiting = limits.enter('slow.test', 'a', stopping.signal);
    stopping.abort();
    expect(await waiting).toBeUndefined();
    expect(await limits.enter('slow.test', 'a', stopping.signal)).toBeUndefined();
    leave!();
    expect(await isSettled(limits.enter('slow.test', 'a', never))).toBe(true);
  });

  it('forgets hosts without calls', async () => {
    const limits = new TargetLimits();
    const leaves = await enterMany(limits, 'a.test', 'a', 3);
    leaves.forEach((leave) => leave!());
    expect((limits as unknown as { targets: Map<string, unknown> }).targets.size).toBe(0);
  });
});
