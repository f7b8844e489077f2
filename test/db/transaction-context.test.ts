import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { isInTransaction, runInTransaction } from '../../src/platform/db/transaction-context.js';

describe('runInTransaction', () => {
  it('marks the calls that it awaits, and no concurrent ones', async () => {
    expect(isInTransaction()).toBe(false);
    const inside = runInTransaction(async () => {
      const before = isInTransaction();
      await pause(5);
      return before && isInTransaction();
    });
    expect(isInTransaction()).toBe(false);
    expect(await inside).toBe(true);
    expect(isInTransaction()).toBe(false);
  });

  it('ends with an error, which it passes on', async () => {
    await expect(runInTransaction(() => Promise.reject(new Error('rolled back')))).rejects.toThrow('rolled back');
    expect(isInTransaction()).toBe(false);
  });

  it('does not mark calls that outlive it', async () => {
    let later: Promise<boolean> | undefined;
    await runInTransaction(async () => {
      later = pause(10).then(isInTransaction);
    });
    expect(await later).toBe(false);
  });

  it('stays open after a nested one has ended', async () => {
    const states = await runInTransaction(async () => [await runInTransaction(async () => 'inner'), isInTransaction()]);
    expect(states).toEqual(['inner', true]);
  });
});
