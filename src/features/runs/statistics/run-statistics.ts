import { type LongWork } from '../../../platform/admission/long-work.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { validationError } from '../../../platform/errors.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { bucketEdges } from './bucket-edges.js';
import { type RunStatus } from '../run-status.js';
import { type RunStatisticsArgs } from './run-statistics.inputs.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';

/** Numbers of runs by status. */
export type RunCounts = Record<RunStatus, number> & { total: number };

/** The counts of the runs created from `from` (inclusive) to `to` (exclusive). */
export type CountedBucket = Readonly<RunCounts & { from: Date; to: Date }>;

/** The maximum number of runs that one statement reads, at about a microsecond each. */
export const MAX_RUNS = 1_000_000;

/** The JSON of a bucket with all of its fields, for the turns of those that render many. */
export const BUCKET_BYTES = 160;

/** The number of runs of one status in a bucket; buckets are numbered from 1. */
export type CountedStatus = { bucket: number; status: RunStatus; total: number };

/** Counts runs for charts. */
export class RunStatisticsService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly long: LongWork,
  ) {}

  /** @throws AppError `validation_error` for too many buckets or runs; `not_found`, `unauthorized` for the workflow. */
  async count({ accountId }: RequestContext, args: RunStatisticsArgs): Promise<readonly CountedBucket[]> {
    const { from, to, bucket, timezone } = args;
    const edges = bucketEdges({ from, to: to ?? this.clock.now(), bucket, timezone: timezone ?? 'UTC' });
    const buckets = [...emptyBuckets(edges)];
    const workflow = args.workflowId == null ? null : fromPublicId('wf', args.workflowId);
    const rows = workflow === undefined ? [] : await this.rows(accountId, edges, workflow);
    // Runs of a deleted workflow still count while they are kept.
    if (args.workflowId != null && rows.length === 0) {
      await findOwned(this.db, { table: 'workflows', accountId, id: args.workflowId }, '1 AS one');
    }
    for (const row of rows) addTo(buckets, row);
    if (buckets.reduce((sum, { total }) => sum + total, 0) > MAX_RUNS) throw tooManyRuns();
    await this.long.piece(accountId, buckets.length * BUCKET_BYTES);
    return buckets;
  }

  /** Buckets are numbered from 1. Ids replace times: they use the index and skip the partitions of other weeks. */
  private rows(accountId: string, edges: readonly Date[], workflow: string | null): Promise<CountedStatus[]> {
    const ids = edges.map((edge) => lowestUuidAt(edge.getTime()));
    return this.db.expensive.query<CountedStatus>(
      `SELECT width_bucket(r.id, $4::uuid[]) AS bucket, r.status, count(*) AS total FROM (
         SELECT r.id, r.status FROM runs r WHERE r.account_id = $1 AND r.id >= $2 AND r.id < $3 AND NOT r.is_test
         ${workflow === null ? '' : 'AND r.workflow_id = $5'} LIMIT ${MAX_RUNS + 1}) r
       GROUP BY 1, 2`,
      [accountId, ids[0], ids.at(-1), ids.slice(0, -1), ...(workflow === null ? [] : [workflow])],
    );
  }
}

/** A bucket without runs for each edge but the last; frozen, so that many results may share them. */
export function emptyBuckets(edges: readonly Date[]): readonly CountedBucket[] {
  return Object.freeze(
    edges.slice(0, -1).map((edge, index) => Object.freeze({ from: edge, to: edges[index + 1]!, ...none() })),
  );
}

/** Replaces the bucket of a status by one that counts it. */
export function addTo(buckets: CountedBucket[], { bucket, status, total }: CountedStatus): void {
  const counted = buckets[bucket - 1]!;
  buckets[bucket - 1] = { ...counted, [status]: counted[status] + total, total: counted.total + total };
}

/** Adds up the counts of all buckets. */
export function sumOf(buckets: readonly RunCounts[]): RunCounts {
  const sum = none();
  for (const counts of buckets) for (const key of KEYS) sum[key] += counts[key];
  return sum;
}

function none(): RunCounts {
  return { queued: 0, running: 0, waiting: 0, succeeded: 0, failed: 0, canceled: 0, skipped: 0, total: 0 };
}

const KEYS = Object.keys(none()) as (keyof RunCounts)[];

function tooManyRuns() {
  const message = `must be later: there are more than ${MAX_RUNS.toLocaleString('en')} runs up to \`to\``;
  return validationError({ field: 'from', message });
}
