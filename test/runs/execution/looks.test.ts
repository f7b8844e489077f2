import { Looks } from '../../../src/features/runs/queue/looks.js';
import { type HeldJob } from '../../../src/platform/jobs/job-queue.js';

/** Looks into a queue that answers each look with the next number of jobs, and the looks that were made. */
function looksOf(numbers: number[], now = () => performance.now()) {
  const made: string[] = [];
  const fetch = ({ except = [], isDue = false }: { except?: readonly string[]; isDue?: boolean }) => {
    made.push(`${isDue ? 'due' : 'whole'} without ${except.join('') || 'none'}`);
    return Promise.resolve(Array.from({ length: numbers.shift() ?? 0 }, () => ({}) as HeldJob));
  };
  return { looks: new Looks({ fetch }, now), made };
}

const ALL = { count: 10, except: [] };
const WITHOUT_A = { count: 10, except: ['a'] };

describe('a look into the queue', () => {
  it('takes what is there, and is repeated at once only while it fills the plan', async () => {
    const { looks, made } = looksOf([10, 3]);
    expect(await looks.take(ALL)).toHaveLength(10);
    expect(looks.waitFor(ALL)).toBe(0);
    expect(await looks.take(ALL)).toHaveLength(3);
    expect(looks.waitFor(ALL)).toBeGreaterThan(0);
    looks.noteQueued();
    expect(looks.waitFor(ALL)).toBe(0);
    expect(made).toEqual(['whole without none', 'whole without none']);
  });

  it('takes the due runs first if it leaves an account out, and passes over those of the account when none is left', async () => {
    const { looks, made } = looksOf([2, 0, 3]);
    expect(await looks.take(WITHOUT_A)).toHaveLength(2);
    expect(looks.waitFor(WITHOUT_A)).toBe(0);
    expect(await looks.take(WITHOUT_A)).toHaveLength(3);
    expect(made).toEqual(['due without a', 'due without a', 'whole without a']);
  });

  it('passes over the runs of an account again only after a while, whatever is queued in between', async () => {
    let now = 0;
    const { looks, made } = looksOf([0, 0, 1, 0, 0, 0], () => (now += 10));
    await looks.take(WITHOUT_A);
    expect(made.splice(0)).toEqual(['due without a', 'whole without a']);
    looks.noteQueued();
    expect(await looks.take(WITHOUT_A)).toHaveLength(1);
    expect(await looks.take(WITHOUT_A)).toHaveLength(0);
    expect(made.splice(0)).toEqual(['due without a', 'due without a']);
    const wait = looks.waitFor(WITHOUT_A);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(100);
    now += wait;
    await looks.take(WITHOUT_A);
    expect(made).toEqual(['due without a', 'whole without a']);
  });

  it('is made at once when an account is no longer left out', async () => {
    const { looks } = looksOf([0, 0]);
    await looks.take(WITHOUT_A);
    expect(looks.waitFor({ count: 10, except: ['a', 'b'] })).toBeGreaterThan(0);
    expect(looks.waitFor(ALL)).toBe(0);
  });
});
