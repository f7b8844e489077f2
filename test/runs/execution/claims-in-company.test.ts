import { afterEach, describe, expect, it } from '@jest/globals';
import { type ClaimOptions } from '../../../src/features/runs/execution/claim-runs.js';
import { type Plan } from '../../../src/features/runs/execution/slots.js';
import { RunWorker, type RunWorkerDependencies } from '../../../src/features/runs/execution/run-worker.js';
import { currentWork } from '../../../src/platform/admission/work.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { until } from '../../support/until.js';

interface Job {
  id: string;
  groupId: string;
  retryCount: number;
}

/** A worker whose claims of many runs of an account, and of runs that wait for a locked row, take until the test ends them. */
function workerOf() {
  let wake: () => void = () => undefined;
  let queued: Job[] = [];
  let made = 0;
  const claimed: string[] = [];
  const parties: string[] = [];
  const many = Promise.withResolvers<void>();
  const queue = {
    onQueued: (listener: () => void) => ((wake = listener), () => undefined),
    keepAlive: (jobs: readonly Job[]) =>
      Promise.resolve({ ours: new Set(jobs.map(({ id }) => id)), locked: new Set() }),
    fetch: ({ count, except }: Plan) => {
      const taken = queued.filter(({ groupId }) => !except.includes(groupId)).slice(0, count);
      queued = queued.filter((job) => !taken.includes(job));
      return Promise.resolve(taken);
    },
  };
  const claim = async (jobs: readonly Job[], { busy }: ClaimOptions) => {
    const accounts = jobs.map(({ groupId }) => groupId);
    claimed.push(accounts.join(''));
    if (jobs.length > 5) await many.promise;
    // A row of this account is locked.
    if (accounts.includes('L') && busy !== true) throw Object.assign(new Error('locked'), { code: '55P03' });
    if (busy === true) parties.push(currentWork().party);
    if (accounts.includes('L')) await many.promise;
    return { going: [], busy: [], suspects: [] };
  };
  const space = { waiters: new Set(), close: () => undefined };
  const deps = { queue, claims: { claim }, space, logger: createLogger('silent') };
  return {
    worker: new RunWorker(deps as unknown as RunWorkerDependencies),
    claimed,
    parties,
    many,
    add: (accounts: string) => {
      queued.push(...Array.from(accounts, (groupId) => ({ id: String((made += 1)), groupId, retryCount: 0 })));
      wake();
    },
  };
}

describe('runs of several accounts', () => {
  let made: ReturnType<typeof workerOf>;
  afterEach(async () => {
    made.many.resolve();
    await made.worker.stop();
  });

  it('are claimed while the many of one account are being claimed, ten at a time, whose further runs wait', async () => {
    made = workerOf();
    const { worker, claimed, many, add } = made;
    add(`b${'a'.repeat(20)}`);
    worker.start();
    await until(() => claimed.length === 2);
    expect(claimed.toSorted()).toEqual(['a'.repeat(10), 'b']);
    add('aaab');
    await until(() => claimed.length === 3);
    expect(claimed[2]).toBe('b');
    many.resolve();
    await until(() => claimed.length === 5);
    expect(claimed.slice(3)).toEqual(['a'.repeat(10), 'aaa']);
  });

  it('are claimed apart after one of them met a locked row, and later ones do not wait for it either', async () => {
    made = workerOf();
    const { worker, claimed, parties, add } = made;
    add('Lab');
    worker.start();
    await until(() => claimed.length >= 5);
    expect(claimed).toEqual(['Lab', 'L', 'a', 'b', 'L']);
    add('Lab');
    await until(() => claimed.slice(5).join('').length >= 3);
    // The others are claimed together or not, as they are fetched.
    expect(claimed.slice(5).filter((accounts) => accounts.includes('L'))).toEqual(['L']);
    expect(new Set(parties)).toEqual(new Set(['L beside']));
  });

  it('are all claimed at once by a worker that stops, which hands them back', async () => {
    made = workerOf();
    const { worker, claimed, many, add } = made;
    add(`b${'a'.repeat(40)}`);
    worker.start();
    await until(() => claimed.length === 2);
    const stopped = worker.stop();
    many.resolve();
    await stopped;
    expect(claimed.slice(2)).toEqual(['a'.repeat(30)]);
  });
});
