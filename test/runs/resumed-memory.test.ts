import { describe, expect, it } from '@jest/globals';
import { Snapshot } from '../../src/features/runs/feed/change-marks.js';
import { type MissedChange } from '../../src/features/runs/feed/missed-changes.js';
import { ReadChanges } from '../../src/features/runs/feed/read-changes.js';
import { RunStatusChange } from '../../src/features/runs/feed/run-change.js';
import { RunStream } from '../../src/features/runs/feed/run-stream.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { until } from '../support/until.js';

const AT = 1_800_000_000_000;
const moment = (text: string) => Snapshot.take({ query: () => Promise.resolve([{ snapshot: text }]) as never });
const markOf = (transaction: number) => String(BigInt(transaction) << 16n);

function changeAt(at = AT, version = 2): RunStatusChange {
  const named = { accountId: 'a', workflowUuid: 'w', previousStatus: 'queued', status: 'running' };
  return Object.assign(new RunStatusChange(), { ...named, runUuid: newUuid(new Date(at)), version, at: new Date(at) });
}

/** A stream that resumes behind `AT` with what its reads find. During the first one it is told `early`, and drops all but one. */
async function resumed(read: ReadChanges, reads: readonly MissedChange[][], early: readonly RunStatusChange[] = []) {
  let tell!: (change: RunStatusChange) => void;
  let waiting = 1;
  const stream = new RunStream((listener) => ((tell = listener.tell), () => undefined), {
    ends: false,
    onSlowReader: () => undefined,
    waiting: () => waiting,
    missed: () => 10_000,
    read,
  });
  const left = [...reads];
  const missed = async function* () {
    if (waiting === 1) early.forEach(tell);
    waiting = 10_000;
    yield await Promise.resolve(left.shift() ?? []);
  };
  await stream.resume(missed, { at: AT, horizon: 0n });
  return { stream, tell, told: () => stream.changes.peek(10_000) };
}

/** How many entries the lists, sets and maps of an object have, except those that all streams share. */
function entriesOf(value: unknown, shared: unknown): number {
  if (typeof value !== 'object' || value === null || value === shared) return 0;
  const own = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  const count = value instanceof Map || value instanceof Set || Array.isArray(value) ? own.length : 0;
  return count + own.reduce<number>((sum, each) => sum + entriesOf(each, shared), 0);
}

describe('a listener that has resumed', () => {
  it('remembers none of the changes that it read', async () => {
    const [read, snapshot] = [new ReadChanges(), await moment('100:110:105')];
    const found = Array.from({ length: 2_000 }, () => ({
      change: changeAt(),
      isKnown: true,
      mark: markOf(50),
      snapshot,
    }));
    const { stream, tell, told } = await resumed(read, [found]);
    expect(entriesOf(stream, read)).toBeLessThan(10);
    for (const { change } of found) tell(change);
    expect(told()).toEqual([]);
  });

  it('gets from the feed what its read did not see, also if another listener read that', async () => {
    const read = new ReadChanges();
    const [first, open, later] = [changeAt(), changeAt(), changeAt()];
    const all = async (text: string, of: [RunStatusChange, number][]): Promise<MissedChange[]> => {
      const snapshot = await moment(text);
      return of.map(([change, transaction]) => ({ change, isKnown: false, mark: markOf(transaction), snapshot }));
    };
    const one = await resumed(read, [await all('100:110:105', [[first, 50]])]);
    const sees: [RunStatusChange, number][] = [
      [first, 50],
      [open, 105],
      [later, 120],
    ];
    const two = await resumed(read, [await all('200:200:', sees)]);
    for (const change of [first, open, later]) for (const { tell } of [one, two]) tell(change);
    expect([one.told(), two.told()]).toEqual([
      [first, open, later],
      [first, open, later],
    ]);
  });

  it('gets a change from before its read from the feed, though another listener read it', async () => {
    const [read, snapshot, old] = [new ReadChanges(), await moment('100:100:'), changeAt(AT - 3_600_000)];
    read.note({ change: old, mark: markOf(50) });
    const { tell, told } = await resumed(read, [[{ change: changeAt(), isKnown: true, mark: markOf(60), snapshot }]]);
    tell(old);
    expect(told()).toEqual([old]);
  });

  it('gets each change once while the feed and several reads deliver it', async () => {
    const read = new ReadChanges();
    const [first, second, third] = [changeAt(), changeAt(), changeAt()];
    const before = await moment('100:100:');
    const after = await moment('300:300:');
    const seenBy = (snapshot: Snapshot, change: RunStatusChange, transaction: number): MissedChange => ({
      change,
      isKnown: false,
      mark: markOf(transaction),
      snapshot,
    });
    const reads = [
      [seenBy(before, first, 50)],
      [seenBy(after, first, 50), seenBy(after, second, 150), seenBy(after, third, 160)],
    ];
    const { tell, told } = await resumed(read, reads, [second, third]);
    for (const change of [first, second, third]) tell(change);
    expect(told()).toEqual([first, second, third]);
  });

  it('gets a change once that the feed delivered before a further read', async () => {
    const [first, second, third, lost] = [changeAt(), changeAt(), changeAt(), changeAt()];
    const snapshot = await moment('300:300:');
    let tell!: (change: RunStatusChange) => void;
    const stream = new RunStream((listener) => ((tell = listener.tell), () => undefined), {
      ends: false,
      onSlowReader: () => undefined,
      waiting: () => 2,
      missed: () => 1,
      read: new ReadChanges(),
    });
    const reads = [[], [first, second, third, lost]];
    const missed = async function* () {
      const found = await Promise.resolve(reads.shift()!);
      yield found.map((change) => ({ change, isKnown: false, mark: markOf(150), snapshot }));
      if (reads.length > 0) [first, second].forEach(tell);
    };
    const resuming = stream.resume(missed, { at: AT, horizon: 0n });
    // The second change waits for the reader by now, so the third one has room, and the last one has not.
    await until(() => stream.changes.waiting === 1);
    for (const change of [third, changeAt(), lost]) tell(change);
    void resuming.then(() => stream.changes.end());
    const told: RunStatusChange[] = [];
    for await (const change of stream.changes) told.push(change);
    expect([first, second, third, lost].map((change) => told.filter((each) => each === change).length)).toEqual([
      1, 1, 1, 1,
    ]);
  });
});
