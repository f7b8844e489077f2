import { describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { type AppError } from '../../src/platform/errors.js';
import { GroupCommit } from '../../src/platform/db/groups/group-commit.js';
import { asWriter, type GroupCommitOptions, Postponed } from '../../src/platform/db/groups/group-options.js';
import { currentWork, workForCallers } from '../../src/platform/admission/work.js';

const LIMITS = { group: { count: 4, bytes: 100 }, waiting: { count: 50, bytes: 1_000 }, lanes: 1 };

/** Doubles numbers in groups, and records the groups. A number is its own size. */
function doubling(options: Partial<GroupCommitOptions<number, number>> = {}) {
  const groups: number[][] = [];
  const commit = new GroupCommit<number, number>({
    ...LIMITS,
    sizeOf: (size) => size,
    laneOf: () => 'a',
    rowOf: String,
    write: async (members) => {
      groups.push([...members]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return members.map((member) => member * 2);
    },
    ...options,
  });
  return { commit, groups };
}

const coded = (code: string) => Object.assign(new Error(code), { code });

describe('a group commit', () => {
  it('writes members that arrive together in groups within its bounds, and settles each', async () => {
    const { commit, groups } = doubling();
    const answers = await Promise.all([1, 2, 3, 4, 5, 96, 200, 6].map((member) => commit.add(member)));
    expect(answers).toEqual([2, 4, 6, 8, 10, 192, 400, 12]);
    expect(groups).toEqual([[1, 2, 3, 4], [5], [96], [200], [6]]);
  });

  it('writes slow lanes alone, with one writer for all of them, while the others go on', async () => {
    const gates = new Map<number, PromiseWithResolvers<void>>();
    const { commit, groups } = doubling({
      lanes: 2,
      laneOf: (member) => (member < 10 ? 'fast' : `slow ${Math.floor(member / 10)}`),
      isSlow: (lane) => lane !== 'fast',
      write: async (members) => {
        groups.push([...members]);
        const gate = Promise.withResolvers<void>();
        gates.set(members[0]!, gate);
        if (members[0]! >= 10) await gate.promise;
        return [...members];
      },
    });
    const slow = [10, 11, 20].map((member) => commit.add(member));
    expect(await Promise.all([1, 2].map((member) => commit.add(member)))).toEqual([1, 2]);
    expect(await commit.add(3)).toBe(3);
    expect(groups).toEqual([[10, 11], [1, 2], [3]]);
    gates.get(10)!.resolve();
    expect(await Promise.all(slow.slice(0, 2))).toEqual([10, 11]);
    await until(() => gates.has(20));
    gates.get(20)!.resolve();
    await Promise.all([...slow, commit.close()]);
    expect(groups.at(-1)).toEqual([20]);
  });

  it('gives a lane with much to write all writers while it is alone, and one while others write', async () => {
    const gates: (() => void)[] = [];
    const { commit, groups } = doubling({
      lanes: 2,
      laneOf: (member) => (member < 10 ? 'small' : 'large'),
      write: (members) => {
        groups.push([...members]);
        return new Promise((resolve) => gates.push(() => resolve([...members])));
      },
    });
    const finish = async (count: number) => {
      gates.splice(0, count).forEach((open) => open());
      // A group that may be written now is, within a turn.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const all = [90, 91, 92].map((member) => commit.add(member));
    await finish(0);
    expect(groups).toEqual([[90], [91]]);
    all.push(commit.add(1), commit.add(93));
    await finish(2);
    expect(groups.slice(2)).toEqual([[92], [1]]);
    all.push(commit.add(2));
    gates.reverse();
    await finish(1);
    expect(groups.slice(4)).toEqual([[2]]);
    await finish(2);
    // The large lane rests for as long as its last write took.
    expect(groups.slice(5)).toEqual([]);
    await until(() => groups.length === 6);
    expect(groups[5]).toEqual([93]);
    await finish(1);
    expect(await Promise.all(all)).toEqual([90, 91, 92, 1, 93, 2]);
  });

  it('finds the lane with a locked row, gives it a writer of its own, and writes the others without it', async () => {
    let isLocked = true;
    let waits = 0;
    const { commit, groups } = doubling({
      laneOf: (member) => `${member % 10}`,
      write: async (members, lockMs) => {
        groups.push([...members]);
        if (isLocked && members.some((member) => member % 10 === 3)) {
          if (lockMs !== undefined) throw coded('55P03');
          waits += 1;
          await until(() => !isLocked);
        }
        return [...members];
      },
    });
    const locked = [3, 13].map((member) => commit.add(member));
    expect(await Promise.all([1, 2].map((member) => commit.add(member)))).toEqual([1, 2]);
    await until(() => waits === 1);
    const before = groups.length;
    for (const member of [4, 5, 6]) expect(await commit.add(member)).toBe(member);
    expect(groups.slice(before)).toEqual([[4], [5], [6]]);
    isLocked = false;
    expect(await Promise.all(locked)).toEqual([3, 13]);
    expect(groups.filter((group) => group.includes(1))).toEqual(expect.arrayContaining([[3, 13, 1, 2]]));
    await commit.close();
  });

  it('leaves a lane its own writer while its row is locked and free in turn', async () => {
    let isLocked = true;
    let [failed, waits] = [0, 0];
    const { commit } = doubling({
      laneOf: (member) => `${member % 10}`,
      write: async (members, lockMs) => {
        if (isLocked && members.some((member) => member % 10 === 3)) {
          if (lockMs !== undefined) {
            failed += 1;
            throw coded('55P03');
          }
          waits += 1;
          await until(() => !isLocked);
        }
        return [...members];
      },
    });
    const locked = [3].map((member) => commit.add(member));
    await until(async () => (await commit.add(1)) === 1 && waits === 1);
    const before = failed;
    for (const member of [13, 23, 33]) {
      isLocked = false;
      await Promise.all(locked);
      expect(await commit.add(member)).toBe(member);
      isLocked = true;
      locked.push(commit.add(member + 10));
      for (const other of [1, 2]) expect(await commit.add(other)).toBe(other);
    }
    expect(failed).toBe(before);
    isLocked = false;
    await Promise.all(locked);
    await commit.close();
  });

  it('waits longer for locks if all writes take long, and not because of some that waited for one', async () => {
    let now = 0;
    let takes = (_write: number) => 0;
    const real = performance.now;
    performance.now = () => now;
    try {
      const limits: (number | undefined)[] = [];
      const { commit } = doubling({
        write: (members, lockMs) => {
          limits.push(lockMs);
          now += takes(limits.length);
          return Promise.resolve([...members]);
        },
      });
      takes = (write) => (write % 2 === 0 ? 240 : 5);
      for (let member = 1; member <= 20; member += 1) await commit.add(member);
      expect(new Set(limits)).toEqual(new Set([250]));
      takes = () => 240;
      for (let member = 1; member <= 20; member += 1) await commit.add(member);
      expect(limits.at(-1)).toBeGreaterThan(750);
    } finally {
      performance.now = real;
    }
  });

  it('gives nobody a writer of its own while all wait for a moment', async () => {
    let fails = 6;
    const { commit, groups } = doubling({
      laneOf: String,
      write: async (members, lockMs) => {
        groups.push([...members]);
        if ((fails -= 1) >= 0) throw coded('55P03');
        return members.map(() => Number(lockMs));
      },
    });
    expect(await Promise.all([1, 2, 3, 4].map((member) => commit.add(member)))).toEqual([250, 250, 250, 250]);
    expect(groups.slice(0, 3).map(({ length }) => length)).toEqual([4, 2, 2]);
  });

  it('ends although the last members that wait are refused while their lane rests', async () => {
    const { commit } = doubling({
      patience: 100,
      isSlow: () => true,
      laneOf: String,
      write: async (members) => {
        await new Promise((resolve) => setTimeout(resolve, 90));
        return [...members];
      },
    });
    const all = [1, 2, 3].map((member) => commit.add(member).catch(() => 'refused'));
    await Promise.race(all);
    await commit.close();
    expect(await Promise.all(all)).toContain('refused');
  });

  it('returns a member whose lane turns out to be slow to the queue', async () => {
    const slow = new Set<string>();
    const { commit, groups } = doubling({
      laneOf: (member) => (member === 7 ? 'seven' : 'fast'),
      isSlow: (lane) => slow.has(lane),
      write: async (members) => {
        groups.push([...members]);
        const isMixed = members.length > 1 && members.includes(7);
        if (isMixed) slow.add('seven');
        return members.map((member) => (isMixed && member === 7 ? new Postponed() : member * 2));
      },
    });
    expect(await Promise.all([1, 7, 2].map((member) => commit.add(member)))).toEqual([2, 14, 4]);
    expect(groups.map((group) => group.toSorted())).toEqual([[1, 2, 7], [7]]);
    await commit.close();
  });

  it('does not wait for further members', async () => {
    const { commit, groups } = doubling();
    const first = commit.add(1);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const rest = [commit.add(2), commit.add(3)];
    await Promise.all([first, ...rest]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  it('refuses members beyond the queue by number and by size, and accepts more once there is room', async () => {
    // A single lane may use two thirds of the queue.
    const { commit } = doubling({ waiting: { count: 5, bytes: 45 } });
    const taken = [commit.add(10), commit.add(10)];
    expect(() => commit.add(11)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    taken.push(commit.add(1));
    expect(() => commit.add(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(await Promise.all(taken)).toEqual([20, 20, 2]);
    expect(await commit.add(30)).toBe(60);
  });

  it('refuses one member by its own error', async () => {
    const { commit, groups } = doubling({
      write: async (members) => members.map((member) => (member === 2 ? new Error('two') : member)),
    });
    const [one, two] = await Promise.allSettled([commit.add(1), commit.add(2)]);
    expect(one).toEqual({ status: 'fulfilled', value: 1 });
    expect(two).toMatchObject({ status: 'rejected', reason: { message: 'two' } });
    expect(groups).toEqual([]);
  });

  it.each(['22P02', '55P03', '57014'])('halves a group that fails with %s, until one alone fails', async (code) => {
    const sizes: number[] = [];
    const { commit } = doubling({
      write: async (members) => {
        sizes.push(members.length);
        if (members.includes(3)) throw coded(code);
        return [...members];
      },
    });
    const settled = await Promise.allSettled([1, 2, 3, 4].map((member) => commit.add(member)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    // A lane that has met a locked row twice is written again by its own writer.
    expect(sizes).toEqual([...(code === '22P02' ? [] : [4, 4]), 4, 2, 2, 1, 1]);
  });

  it('finds one bad member of 256 with at most two writes a level', async () => {
    let writes = 0;
    const { commit } = doubling({
      group: { count: 256, bytes: 100_000 },
      waiting: { count: 1_000, bytes: 1_000_000 },
      write: async (members) => {
        writes += 1;
        if (members.includes(77)) throw coded('55P03');
        return [...members];
      },
    });
    const settled = await Promise.allSettled(Array.from({ length: 256 }, (_, member) => commit.add(member)));
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(writes).toBe(2 + 1 + 2 * 8);
  });

  it('keeps members that lock the same row in one half', async () => {
    const groups: number[][] = [];
    const { commit } = doubling({
      rowOf: (member) => (member % 2 === 0 ? 'even' : 'odd'),
      write: async (members) => {
        groups.push([...members]);
        if (members.includes(2)) throw coded('55P03');
        return [...members];
      },
    });
    await Promise.allSettled([1, 2, 3, 4].map((member) => commit.add(member)));
    expect(groups).toEqual([[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 3], [2, 4], [2], [4]]);
  });

  it('refuses a member that has waited longer than its patience instead of retrying it', async () => {
    let writes = 0;
    const { commit } = doubling({
      patience: 0,
      write: () => {
        writes += 1;
        return Promise.reject(coded('57014'));
      },
    });
    const settled = await Promise.allSettled([1, 2, 3].map((member) => commit.add(member)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(writes).toBe(1);
  });

  it('refuses members whose patience is over, whether they wait or are being written, and writes none of those that waited', async () => {
    const gate = Promise.withResolvers<void>();
    const { commit, groups } = doubling({
      patience: 200,
      write: async (members) => {
        groups.push([...members]);
        await gate.promise;
        return [...members];
      },
    });
    const first = commit.add(1);
    await until(() => groups.length === 1);
    const settled = await Promise.allSettled([first, commit.add(2), commit.add(3)]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const [underWay, waiting] = settled.map((each) => (each as PromiseRejectedResult).reason);
    expect(underWay).toMatchObject({ code: 'unavailable', options: { retryAfter: 1 } });
    expect(underWay.message).toContain('may be stored');
    expect(waiting).toMatchObject({ code: 'unavailable', options: { retryAfter: 1 } });
    expect(waiting.message).not.toContain('may be stored');
    gate.resolve();
    await commit.close();
    expect(groups).toEqual([[1]]);
    // The members have left the queue.
    expect((commit as unknown as { places: { inUse: number } }).places.inUse).toBe(0);
  });

  it('rolls back what it was writing of a member that it has refused, and stores the others', async () => {
    const gate = Promise.withResolvers<void>();
    const stored: number[] = [];
    const { commit, groups } = doubling({
      patience: 100,
      writing: 100,
      write: async (members, _lockMs, mayCommit) => {
        groups.push([...members]);
        if (groups.length === 1) await gate.promise;
        mayCommit();
        stored.push(...members);
        return [...members];
      },
    });
    const first = commit.add(1);
    await until(() => groups.length === 1);
    const error = await first.catch((reason: unknown) => reason as AppError);
    expect(error).toMatchObject({ code: 'unavailable', options: { retryAfter: 1 } });
    // It is true that nothing is stored, so the text doesn't say otherwise.
    expect((error as AppError).message).not.toContain('may be stored');
    gate.resolve();
    expect(await commit.add(2)).toBe(2);
    await commit.close();
    expect([groups, stored]).toEqual([[[1], [2]], [2]]);
  });

  it('writes the other members of such a group again', async () => {
    const stored: number[] = [];
    let writes = 0;
    const { commit, groups } = doubling({
      patience: 60_000,
      writing: 0,
      write: async (members, _lockMs, mayCommit) => {
        groups.push([...members]);
        if ((writes += 1) === 1) {
          const { open } = commit as unknown as { open: Set<{ member: number; reject: (error: Error) => void }> };
          for (const { member, reject } of open) if (member === 2) reject(new Error('refused'));
        }
        mayCommit();
        stored.push(...members);
        return [...members];
      },
    });
    const settled = await Promise.allSettled([1, 2, 3].map((member) => commit.add(member)));
    await commit.close();
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([groups, stored]).toEqual([
      [
        [1, 2, 3],
        [1, 3],
      ],
      [1, 3],
    ]);
  });

  it('says that a member may be stored only if its commit has begun', async () => {
    const gate = Promise.withResolvers<void>();
    const { commit } = doubling({
      patience: 100,
      writing: 50,
      write: async (members, _lockMs, mayCommit) => {
        mayCommit();
        await gate.promise;
        return [...members];
      },
    });
    await expect(commit.add(1)).rejects.toThrow('may be stored');
    gate.resolve();
    await commit.close();
  });

  it('lets accounts take turns: the flood of one delays a member of another by one group', async () => {
    const { commit, groups } = doubling({ laneOf: (member) => (member < 10 ? 'quiet' : 'busy') });
    const all = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 1, 2].map((member) => commit.add(member));
    await Promise.all(all);
    expect(groups.slice(0, 2).flat()).toEqual(expect.arrayContaining([1, 2]));
  });

  it.each(['ECONNREFUSED', '57P01', '08006'])(
    'tries once only while the database is unavailable (%s)',
    async (code) => {
      let writes = 0;
      const { commit } = doubling({
        write: () => {
          writes += 1;
          return Promise.reject(coded(code));
        },
      });
      const settled = await Promise.allSettled([1, 2, 3].map((member) => commit.add(member)));
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(writes).toBe(1);
    },
  );

  it('settles all accepted members before it closes, and accepts none afterwards', async () => {
    const { commit } = doubling();
    const answered: number[] = [];
    for (let member = 1; member <= 9; member += 1) void commit.add(member).then((answer) => answered.push(answer));
    await commit.close();
    expect(answered).toHaveLength(9);
    expect(() => commit.add(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    await commit.close();
  });
});

describe('the writer of a group', () => {
  it('uses connections of its account where it may wait for locked rows of that, beside its other work', () => {
    const party = () => currentWork().party;
    expect(asWriter('account', 250, party, workForCallers)).toBe('callers');
    expect(asWriter('account', undefined, party, workForCallers)).toBe('account beside');
  });
});
