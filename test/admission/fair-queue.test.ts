import { describe, expect, it } from '@jest/globals';
import { FairQueue } from '../../src/platform/admission/fair-queue.js';

const MEBIBYTE = 2 ** 20;

function filled(...entries: readonly (readonly [lane: string, size: number])[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  entries.forEach(([lane, size], index) => queue.add(lane, `${lane}${index}`, size));
  return queue;
}

describe('a fair queue', () => {
  it('keeps the order of a lane, and returns what fits the bound', () => {
    const queue = filled(['a', 10], ['a', 20], ['a', 30]);
    expect(queue.take({ count: 2, bytes: 100 })).toEqual(['a0', 'a1']);
    expect(queue.take({ count: 2, bytes: 100 })).toEqual(['a2']);
    expect([queue.length, queue.take({ count: 2, bytes: 100 })]).toEqual([0, []]);
  });

  it('gives the first entry however large it is, and no second beyond the bound', () => {
    const queue = filled(['a', 5 * MEBIBYTE], ['a', 1]);
    expect(queue.take({ count: 9, bytes: 100 })).toEqual(['a0']);
    expect(queue.take({ count: 9, bytes: 100 })).toEqual(['a1']);
  });

  it('lets small entries of one lane pass a megabyte of another', () => {
    const flood = Array.from({ length: 20 }, () => ['a', MEBIBYTE] as const);
    const queue = filled(...flood, ['b', 1_000], ['b', 1_000]);
    expect(queue.take({ count: 256, bytes: 4 * MEBIBYTE })).toEqual(expect.arrayContaining(['b20', 'b21']));
  });

  it('gives each of two lanes half of the bytes, however large their entries are', () => {
    const large = Array.from({ length: 8 }, () => ['a', MEBIBYTE] as const);
    const small = Array.from({ length: 8 * 64 }, () => ['b', MEBIBYTE / 64] as const);
    const queue = filled(...large, ...small);
    const taken = queue.take({ count: 1_000, bytes: 8 * MEBIBYTE });
    const ofA = taken.filter((name) => name.startsWith('a')).length;
    expect(ofA).toBeGreaterThanOrEqual(3);
    expect(ofA).toBeLessThanOrEqual(5);
  });

  it('takes from picked lanes only, and the others keep their turns', () => {
    const queue = filled(['a', 1], ['b', 1], ['c', 1], ['a', 1]);
    expect(queue.take({ count: 9, bytes: 9 }, (lane) => lane !== 'a')).toEqual(['b1', 'c2']);
    queue.add('b', 'b4', 1);
    expect(queue.next()).toBe('a');
    expect(queue.take({ count: 9, bytes: 9 })).toEqual(['a0', 'a3', 'b4']);
    expect([queue.next(), queue.take({ count: 9, bytes: 9 }, () => false)]).toEqual([undefined, []]);
  });

  it('removes picked entries from any lane', () => {
    const queue = filled(['a', 1], ['b', 1], ['a', 1]);
    expect(queue.takeWhere((name) => name !== 'a0')).toEqual(['a2', 'b1']);
    expect(queue.take({ count: 9, bytes: 9 })).toEqual(['a0']);
    expect(queue.length).toBe(0);
  });
});
