import { describe, expect, it } from '@jest/globals';
import { HeldJobs } from '../../../src/features/runs/queue/held-jobs.js';
import { type Heard } from '../../../src/platform/jobs/job-queue.js';

const job = { id: 'a', retryCount: 0, groupId: 'g' };

/** Jobs whose heartbeats end when the test says so. */
function holding(): { held: HeldJobs; beats: ((heard: Heard) => void)[] } {
  const beats: ((heard: Heard) => void)[] = [];
  const held = new HeldJobs({ keepAlive: () => new Promise((resolve) => beats.push(resolve)) });
  return { held, beats };
}

describe('heartbeats of held jobs', () => {
  it('leave connections to the rest of the queue: two are under way at most', async () => {
    const { held, beats } = holding();
    held.add([job], performance.now());
    const sent = [held.keepAlive(), held.keepAlive(), held.keepAlive(), held.keepAlive()];
    expect(beats).toHaveLength(2);
    for (const end of beats) end({ ours: new Set(['a']), locked: new Set() });
    await Promise.all(sent);
    void held.keepAlive();
    expect(beats).toHaveLength(3);
  });

  it('say nothing about a locked job: it stays as sure as it was', async () => {
    const { held, beats } = holding();
    held.add([job], performance.now());
    const first = held.keepAlive();
    beats[0]!({ ours: new Set(), locked: new Set(['a']) });
    await first;
    expect(held.sure([job])).toEqual([job]);
    const second = held.keepAlive();
    beats[1]!({ ours: new Set(), locked: new Set() });
    await second;
    expect(held.sure([job])).toEqual([]);
  });

  it('make a job no surer that stays locked', async () => {
    const { held, beats } = holding();
    held.add([job], performance.now() - 6_000);
    const first = held.keepAlive();
    beats[0]!({ ours: new Set(), locked: new Set(['a']) });
    await first;
    expect(held.sure([job])).toEqual([]);
  });
});
