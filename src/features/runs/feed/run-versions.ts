import { type Queryable } from '../../../platform/db/database.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { LATE_MS } from './late-changes.js';
import { type RunVersion } from './run-gaps.js';

/** How far back runs are read, in milliseconds: their early changes are not stored by themselves. */
const RUNS_BACK_MS = LATE_MS + 5_000;
/** How far back stored changes are read. */
const STORED_BACK_MS = 5_000;
const AT_MOST = 10_000;

/** $1: accounts, $2: workflows, $3: runs, $4: the least id of a young run, $5: the least time of a stored change. */
const VERSIONS = `SELECT r.id AS "runUuid", r.version FROM runs r WHERE r.account_id = ANY($1) AND r.id >= $4 AND r.version > 1
  UNION ALL SELECT r.id, r.version FROM runs r WHERE r.workflow_id = ANY($2) AND r.id >= $4 AND r.version > 1
  UNION ALL SELECT r.id, r.version FROM runs r WHERE r.id = ANY($3) AND r.version > 1
  UNION ALL SELECT c.run_id, max(c.version) FROM late_run_changes c
    WHERE c.at >= $5 AND (c.account_id = ANY($1) OR c.workflow_id = ANY($2)) GROUP BY c.run_id
  LIMIT ${AT_MOST}`;

/** The uuids that listeners follow. */
export type Followed = Record<'account' | 'workflow' | 'run', readonly string[]>;

/** The versions of the runs that have listeners, if they may have changed in the last seconds: at most 10,000. */
export async function readVersions(
  on: Pick<Queryable, 'query'>,
  { account, workflow, run }: Followed,
  now: number,
): Promise<RunVersion[]> {
  const since = [lowestUuidAt(now - RUNS_BACK_MS), new Date(now - STORED_BACK_MS)];
  return on.query<RunVersion & Record<string, unknown>>(VERSIONS, [account, workflow, run, ...since]);
}
