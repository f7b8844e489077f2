import { describe, expect, it } from '@jest/globals';
import {
  PATIENCE_MS,
  PROGRESS,
  UNREAD_OF_ACCOUNT,
  UNREAD_OF_READER,
  UnreadBytes,
} from '../../src/platform/admission/unread-bytes.js';

const MB = 1_048_576;

/** Readers by name, and the names of the ended ones. */
function readers() {
  let now = 0;
  const unread = new UnreadBytes(() => now);
  const ended: string[] = [];
  return {
    unread,
    ended,
    open: (name: string, account = 'a') => {
      const reader = unread.open(() => ended.push(name));
      reader.moveTo(account);
      return reader;
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
      unread.look();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the unread bytes of readers', () => {
  it('are at most 4 MB per reader', async () => {
    const { open, ended } = readers();
    const [one, other] = [open('one'), open('other')];
    one.add(UNREAD_OF_READER);
    other.add(UNREAD_OF_READER + 1);
    await turn();
    expect([UNREAD_OF_READER, ended]).toEqual([4 * MB, ['other']]);
  });

  it('are counted after the current turn: the network may have taken them by then', async () => {
    const { open, ended } = readers();
    const one = open('one');
    one.add(UNREAD_OF_READER + 1);
    one.take(1);
    await turn();
    expect(ended).toEqual([]);
  });

  it('are at most 64 MB per account: beyond that the largest readers are ended, and no more than needed', async () => {
    const { open, ended, unread } = readers();
    for (let number = 0; number < 32; number += 1) open(`${number}`).add(2 * MB);
    await turn();
    expect([unread.total, ended]).toEqual([UNREAD_OF_ACCOUNT, []]);
    open('largest').add(3 * MB);
    open('of another', 'b').add(4 * MB);
    open('small').add(1);
    await turn();
    // With the first of 2 MB, what is left fits again.
    expect(ended).toEqual(['largest', '0']);
    expect(unread.total).toBe(31 * 2 * MB + 1 + 4 * MB);
  });

  it('are counted together before the account is known', async () => {
    const { unread } = readers();
    const ended: number[] = [];
    for (let number = 0; number < 17; number += 1) unread.open(() => ended.push(number)).add(4 * MB);
    await turn();
    expect(ended).toEqual([0]);
  });

  it('move to an account with their readers', async () => {
    const { open, unread } = readers();
    const one = open('one');
    one.add(5);
    one.moveTo('b');
    one.take(2);
    expect(unread.total).toBe(3);
    one.leave();
    one.leave();
    expect(unread.total).toBe(0);
  });
});

describe('a reader that is behind', () => {
  it('is ended when it takes nothing for 10 s', () => {
    const { open, pass, ended } = readers();
    open('one').add(1);
    pass(PATIENCE_MS - 1);
    expect(ended).toEqual([]);
    pass(1);
    expect([PATIENCE_MS, ended]).toEqual([10_000, ['one']]);
  });

  it('is ended even if it takes a byte a second, and stays if it takes 64 kB in 10 s', () => {
    const { open, pass, ended } = readers();
    const [byByte, short, slow] = [open('by byte'), open('short'), open('slow')];
    for (const reader of [byByte, short, slow]) reader.add(MB);
    for (let second = 1; second < 10; second += 1) {
      byByte.take(1);
      pass(1_000);
    }
    short.take(PROGRESS - 1);
    slow.take(PROGRESS);
    pass(1_000);
    expect([PROGRESS, ended]).toEqual([65_536, ['by byte', 'short']]);
    pass(9_000);
    expect(ended).toEqual(['by byte', 'short', 'slow']);
  });

  it('stays while it takes all that was unread before, even if that is little', () => {
    const { open, pass, ended } = readers();
    const one = open('one');
    one.add(100);
    for (let round = 0; round < 5; round += 1) {
      one.add(100);
      pass(9_999);
      one.take(100);
    }
    expect(ended).toEqual([]);
  });

  it('may be idle once it has read everything', () => {
    const { open, pass, ended } = readers();
    const one = open('one');
    one.add(100);
    one.take(100);
    pass(60_000);
    one.add(100);
    pass(PATIENCE_MS - 1);
    expect(ended).toEqual([]);
  });
});
