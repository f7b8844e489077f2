import { Looks } from '../../../src/features/runs/queue/looks.js';
import { type HeldJob } from '../../../src/platform/jobs/job-queue.js';

/** Looks into a queue that answers each look with the next number of jobs, and the looks that were made. */
function looksOf(numbers: number[]) {
  const made: string[] = [];
  const fetch = ({ except = [] }: { except?: readonly string[] }) => {
    made.push(`without ${except.join('') || 'none'}`);
    return Promise.resolve(Array.from({ length: numbers.shift() ?? 0 }, () => ({}) as HeldJob));
  };
  return { looks: new Looks({ fetch }), made };
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
    expect(made).toEqual(['without none', 'without none']);
  });

  it('is made at once when an account is no longer left out', async () => {
    const { looks } = looksOf([0, 0]);
    await looks.take(WITHOUT_A);
    expect(looks.waitFor({ count: 10, except: ['a', 'b'] })).toBeGreaterThan(0);
    expect(looks.waitFor(ALL)).toBe(0);
  });
});
