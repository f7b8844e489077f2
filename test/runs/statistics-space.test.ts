import { describe, expect, it } from '@jest/globals';
import { type RunStatistics } from '../../src/features/runs/statistics/run-statistics.inputs.js';
import { RunStatisticsService } from '../../src/features/runs/statistics/run-statistics.js';
import { WorkflowStatistics } from '../../src/features/runs/statistics/workflow-statistics.js';
import { LongWork } from '../../src/platform/admission/long-work.js';
import { systemClock } from '../../src/platform/clock.js';
import { type RequestContext } from '../../src/platform/context.js';
import { type Database } from '../../src/platform/db/database.js';

const context = { accountId: 'account' } as RequestContext;
const args = {
  from: new Date('2026-01-01T00:00:00Z'),
  to: new Date('2026-01-31T00:00:00Z'),
  bucket: 'day' as const,
};
const PERIOD_BYTES = 30 * 160;

class CountedWork extends LongWork {
  readonly sizes: number[] = [];
  override piece(lane: string, bytes: number): Promise<void> {
    this.sizes.push(bytes);
    return super.piece(lane, bytes);
  }
}

function databaseOf(rows: readonly object[]): Database {
  return { expensive: { query: async () => rows } } as unknown as Database;
}

describe('the statistics of workflows', () => {
  const ask = async (workflows: readonly string[], aliases: number, long = new CountedWork()) => {
    const db = databaseOf([{ workflow: 'busy', bucket: 2, status: 'failed', total: 3 }]);
    const asked = workflows.flatMap((workflow) => Array.from({ length: aliases }, () => ({ workflow, args })));
    return (await new WorkflowStatistics(db, systemClock, long).count(context, asked)) as RunStatistics[];
  };

  it('share the buckets without runs, which cannot be changed', async () => {
    const given = await ask(['quiet', 'busy', 'other'], 15);
    const [quiet, busy, other] = [given[0]!, given[15]!, given[30]!];
    expect(new Set(given).size).toBe(2);
    expect(other).toBe(quiet);
    expect(new Set(given.flatMap(({ buckets }) => buckets)).size).toBe(30 + 1);
    expect([quiet.sum.total, busy.sum.total, busy.sum.failed]).toEqual([0, 3, 3]);
    expect(busy.buckets[1]).toMatchObject({ total: 3, failed: 3, from: quiet.buckets[1]!.from });
    expect(busy.buckets[0]).toBe(quiet.buckets[0]);
    for (const frozen of [quiet, quiet.sum, quiet.buckets, ...quiet.buckets])
      expect(Object.isFrozen(frozen)).toBe(true);
  });

  it('are rendered in a piece of long work of all their buckets', async () => {
    const long = new CountedWork();
    await ask(['quiet', 'busy', 'other'], 15, long);
    expect(long.sizes).toEqual([45 * PERIOD_BYTES]);
  });
});

it('the statistics of an account are rendered in a piece of long work', async () => {
  const long = new CountedWork();
  const service = new RunStatisticsService(databaseOf([{ bucket: 2, status: 'failed', total: 3 }]), systemClock, long);
  const buckets = await service.count(context, args);
  expect(buckets.map(({ total }) => total).slice(0, 3)).toEqual([0, 3, 0]);
  expect(long.sizes).toEqual([PERIOD_BYTES]);
});
