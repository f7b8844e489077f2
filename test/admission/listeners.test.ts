import { describe, expect, it } from '@jest/globals';
import { Lanes } from '../../src/platform/admission/lanes.js';
import { Listeners, LISTENERS_OF_ACCOUNT } from '../../src/platform/admission/listeners.js';

describe('listeners of an account', () => {
  it('are at most 20,000: one more is refused until one leaves, and another account has its own limit', async () => {
    const listeners = new Listeners();
    const releases = await Promise.all(Array.from({ length: 20_000 }, () => listeners.take('a')));
    expect([LISTENERS_OF_ACCOUNT, listeners.of('a')]).toEqual([20_000, 20_000]);
    await expect(listeners.take('a')).rejects.toMatchObject({ code: 'rate_limited' });
    (await listeners.take('b'))();
    expect(listeners.of('b')).toBe(0);
    // A place is given back once.
    releases[0]!();
    releases[0]!();
    await listeners.take('a');
    await expect(listeners.take('a')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('may each have 10,000 changes waiting, and fewer if there are many listeners', async () => {
    const listeners = new Listeners();
    expect(listeners.waitingOf('a')).toBe(10_000);
    for (let count = 0; count < 200; count += 1) await listeners.take('a');
    expect(listeners.waitingOf('a')).toBe(10_000);
    for (let count = 200; count < 20_000; count += 1) await listeners.take('a');
    expect(listeners.waitingOf('a')).toBe(100);
  });
});

describe('lanes', () => {
  it('run a bounded number of an account’s tasks at once, the rest in order, even if some fail', async () => {
    const lanes = new Lanes(2);
    const log: string[] = [];
    const held: PromiseWithResolvers<void>[] = [];
    const run = (account: string, name: string) =>
      lanes
        .run(account, async () => {
          log.push(name);
          const end = Promise.withResolvers<void>();
          held.push(end);
          await end.promise;
        })
        .catch(() => log.push(`${name} failed`));
    const all = [run('a', '1'), run('a', '2'), run('a', '3'), run('b', '4'), run('a', '5')];
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['1', '2', '4']);
    held[0]!.reject(new Error());
    await all[0];
    expect(log).toEqual(['1', '2', '4', '1 failed', '3']);
    for (let next = 1; next < 5; next += 1) {
      held[next]!.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect(log.at(-1)).toBe('5');
  });
});
