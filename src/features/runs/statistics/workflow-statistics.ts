import { type LongWork } from '../../../platform/admission/long-work.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { bucketEdges } from './bucket-edges.js';
import {
  addTo,
  BUCKET_BYTES,
  type CountedBucket,
  type CountedStatus,
  emptyBuckets,
  MAX_RUNS,
  sumOf,
} from './run-statistics.js';
import { type RunStatistics, type StatisticsArgs } from './run-statistics.inputs.js';

/** The statistics that a list asks for of one workflow. */
export interface AskedStatistics {
  workflow: string;
  args: StatisticsArgs;
}

type Row = CountedStatus & { workflow: string };

/** Counts the runs of each workflow of a list. */
export class WorkflowStatistics {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly long: LongWork,
  ) {}

  /**
   * The statistics of many workflows, with one statement for each period; null for a period in which they have more
   * than `MAX_RUNS` runs together. @throws AppError `validation_error` for too many buckets.
   */
  async count({ accountId }: RequestContext, asked: readonly AskedStatistics[]): Promise<(RunStatistics | null)[]> {
    const counted = new Map<AskedStatistics, RunStatistics | null>();
    let bytes = 0;
    const periods = Map.groupBy(asked, ({ args: { from, to, bucket, timezone } }) =>
      JSON.stringify([from, to, bucket, timezone]),
    );
    for (const some of periods.values()) {
      const { from, to, bucket, timezone } = some[0]!.args;
      const edges = bucketEdges({ from, to: to ?? this.clock.now(), bucket, timezone: timezone ?? 'UTC' });
      const rows = await this.rows(accountId, edges, [...new Set(some.map(({ workflow }) => workflow))]);
      const isWhole = rows.reduce((sum, { total }) => sum + total, 0) <= MAX_RUNS;
      const empty = statisticsOf(edges);
      const known = new Map<string, RunStatistics>();
      for (const [workflow, ofOne] of Map.groupBy(rows, (row) => row.workflow))
        known.set(workflow, added(empty, ofOne));
      for (const one of some) counted.set(one, isWhole ? (known.get(one.workflow) ?? empty) : null);
      bytes += isWhole ? some.length * empty.buckets.length * BUCKET_BYTES : 0;
    }
    // They are rendered as soon as this returns.
    await this.long.piece(accountId, bytes);
    return asked.map((one) => counted.get(one)!);
  }

  /** Reads each workflow by its own index: the account may have far more runs than these workflows. */
  private rows(accountId: string, edges: readonly Date[], workflows: readonly string[]): Promise<Row[]> {
    const ids = edges.map((edge) => lowestUuidAt(edge.getTime()));
    return this.db.expensive.query<Row>(
      `SELECT r.workflow_id AS workflow, width_bucket(r.id, $5::uuid[]) AS bucket, r.status, count(*) AS total FROM (
         SELECT r.workflow_id, r.id, r.status FROM unnest($2::uuid[]) w (id) CROSS JOIN LATERAL (
           SELECT r.workflow_id, r.id, r.status FROM runs r
           WHERE r.workflow_id = w.id AND r.account_id = $1 AND r.id >= $3 AND r.id < $4 AND NOT r.is_test
           ORDER BY r.id DESC LIMIT ${MAX_RUNS + 1}) r
         LIMIT ${MAX_RUNS + 1}) r
       GROUP BY 1, 2, 3`,
      [accountId, workflows, ids[0], ids.at(-1), ids.slice(0, -1)],
    );
  }
}

/** The statistics of a workflow without runs, which all such workflows of a list share. */
function statisticsOf(edges: readonly Date[]): RunStatistics & { buckets: readonly CountedBucket[] } {
  const buckets = emptyBuckets(edges);
  return Object.freeze({ sum: Object.freeze(sumOf(buckets)), buckets });
}

function added(empty: { buckets: readonly CountedBucket[] }, rows: readonly Row[]): RunStatistics {
  const buckets = [...empty.buckets];
  for (const row of rows) addTo(buckets, row);
  return { sum: sumOf(buckets), buckets };
}
