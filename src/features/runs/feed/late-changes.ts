import { type Queryable, type Transaction } from '../../../platform/db/database.js';
import { RowArrays } from '../../../platform/db/row-arrays.js';
import { timeOf } from '../../../platform/ids/ids.js';
import { isInRow, RunStatusChange } from './run-change.js';
import { type RunChange } from '../queue/runs-changed.js';

/**
 * A change later than this after the creation of its run is stored, and so is one that the row of its run does not tell.
 * Other changes need no row of their own: a reader finds their runs by the time of creation. In milliseconds.
 */
export const LATE_MS = 10_000;

const ROWS = new RowArrays<RunChange>(1, {
  account_id: ['uuid', ({ account }) => account],
  at: ['timestamptz', ({ at }) => new Date(at)],
  run_id: ['uuid', ({ run }) => run],
  version: ['int', ({ version }) => version],
  workflow_id: ['uuid', ({ workflow }) => workflow],
  previous_status: ['text', ({ from }) => from],
  status: ['text', ({ to }) => to],
});

/** Whether a change has a row of its own. */
export function isStored(change: Pick<RunStatusChange, 'runUuid' | 'version' | 'status' | 'at'>): boolean {
  return change.at.getTime() - timeOf(change.runUuid).getTime() > LATE_MS || !isInRow(change);
}

/** Stores those of the changes that need it. */
export async function recordLateChanges(tx: Transaction, changes: readonly RunChange[]): Promise<void> {
  const late = changes.filter(({ run: runUuid, version, to: status, at }) =>
    isStored({ runUuid, version, status, at: new Date(at) }),
  );
  if (late.length === 0) return;
  await tx.query(
    `INSERT INTO late_run_changes (${ROWS.names}) SELECT * FROM unnest(${ROWS.arrays})`,
    ROWS.valuesOf(late),
  );
}

/** The runs whose changes a listener wants: all of an account, or those of one workflow, whose account may be unknown. */
export interface WantedChanges {
  accountId: string | null;
  workflowUuid: string | null;
}

/** Where a change is in the order of stored changes. */
export type ChangePlace = Pick<RunStatusChange, 'at' | 'runUuid' | 'version'>;

/** A change as it is stored. */
export interface StoredChange {
  change: RunStatusChange;
  /** Its mark; undefined if it was made without one. */
  mark: string | undefined;
  /** For the creation of a run: its next change, if there is one. */
  next?: StoredChange | undefined;
}

type StoredRow = Omit<RunStatusChange, 'id'> & { mark: string };

const STORED = `SELECT account_id AS "accountId", at, run_id AS "runUuid", version, workflow_id AS "workflowUuid",
    previous_status AS "previousStatus", status, mark::text AS mark FROM late_run_changes`;

/** Reads stored changes behind `after` and earlier than `before`, oldest first. */
export async function readLateChanges(
  on: Pick<Queryable, 'query'>,
  { accountId, workflowUuid }: WantedChanges,
  after: ChangePlace,
  before: Date | 'infinity',
  limit: number,
): Promise<StoredChange[]> {
  const rows = await on.query<StoredRow>(
    `${STORED}
     WHERE ($1::uuid IS NULL OR account_id = $1) AND at >= $2 AND (at, run_id, version) > ($2, $3, $4) AND at < $5
       AND ($6::uuid IS NULL OR workflow_id = $6)
     ORDER BY at, run_id, version LIMIT $7`,
    [accountId, after.at, after.runUuid, after.version, before, workflowUuid, limit],
  );
  return rows.map(toStored);
}

/** Reads the stored changes of single runs since a time, oldest first. Their accounts let an index find them. */
export async function readLateChangesOf(
  on: Pick<Queryable, 'query'>,
  runs: readonly { uuid: string; accountId: string }[],
  since: Date,
): Promise<StoredChange[]> {
  if (runs.length === 0) return [];
  const rows = await on.query<StoredRow>(
    `${STORED} WHERE account_id = ANY($1) AND at >= $2 AND run_id = ANY($3) ORDER BY at, run_id, version`,
    [[...new Set(runs.map(({ accountId }) => accountId))], since, runs.map(({ uuid }) => uuid)],
  );
  return rows.map(toStored);
}

function toStored({ mark, ...row }: StoredRow): StoredChange {
  return { change: Object.assign(new RunStatusChange(), row), mark };
}
