import { type Queryable } from '../../../platform/db/database.js';
import { timeOf } from '../../../platform/ids/ids.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { Snapshot } from './change-marks.js';
import {
  type ChangePlace,
  isStored,
  LATE_MS,
  readLateChanges,
  type StoredChange,
  type WantedChanges,
} from './late-changes.js';
import { changesOf, inOrder, RUN_HISTORY, type RunHistory, type RunStatusChange } from './run-change.js';
import { COMMITTED_WITHIN_MS, isKnown, type RunPosition } from './run-positions.js';

/** The maximum number of rows that one statement reads, unless the caller says fewer. */
const BATCH = 200;

const madeBehind = (column: string): string =>
  `SELECT ${RUN_HISTORY}, r.change_marks::text[] AS marks FROM runs r WHERE r.${column} = $1 AND r.id > $2
   ORDER BY r.id LIMIT $3`;
const MADE_IN_ACCOUNT = madeBehind('account_id');
const MADE_IN_WORKFLOW = madeBehind('workflow_id');

type Made = RunHistory & { marks: readonly string[] | null };

/** A change that a listener may have missed, or that it knows although it happened just before its position. */
export interface MissedChange {
  change: RunStatusChange;
  isKnown: boolean;
  /** Its mark; undefined if it was made without one. */
  mark: string | undefined;
  /** The moment of the read, which sees the change. */
  snapshot: Snapshot;
}

/**
 * Reads the changes of runs behind a position in batches, in the order of their times: those that are committed when it
 * begins. Later ones reach the listener through the feed, so that no batch is ahead of the one before. Runs are read in
 * the order of their creation, so a change waits until all runs created before it are read. Late changes would wait long;
 * they come from a table of their own.
 */
export async function* missedChanges(
  on: Pick<Queryable, 'query'>,
  wanted: WantedChanges,
  position: RunPosition,
  rows: () => number = () => BATCH,
): AsyncGenerator<readonly MissedChange[]> {
  const snapshot = await Snapshot.take(on);
  const since = position.at - COMMITTED_WITHIN_MS;
  let waiting: StoredChange[] = [];
  let last = lowestUuidAt(since - LATE_MS);
  let late: ChangePlace = { at: new Date(since), runUuid: lowestUuidAt(0), version: 0 };
  for (let isFull = true; isFull;) {
    const limit = Math.min(BATCH, rows());
    const runs = await readMade(on, wanted, last, limit);
    isFull = runs.length === limit;
    last = runs.at(-1)?.uuid ?? last;
    waiting.push(...runs.flatMap(storedChanges).filter(({ change }) => isDue(change, since)));
    const horizon = isFull ? timeOf(last) : 'infinity';
    for (let hasMore = true; hasMore;) {
      const stored = await readLateChanges(on, wanted, late, horizon, limit);
      hasMore = stored.length === limit;
      late = stored.at(-1)?.change ?? late;
      const until = hasMore ? late.at : horizon;
      const { ready = [], rest = [] } = Object.groupBy(waiting, ({ change }) =>
        until === 'infinity' || change.at < until ? 'ready' : 'rest',
      );
      waiting = rest;
      yield [...ready, ...stored]
        .filter(({ mark }) => snapshot.sees(mark))
        .sort((a, b) => inOrder(a.change, b.change))
        .map((found) => ({ change: found.change, isKnown: isKnown(position, found), mark: found.mark, snapshot }));
    }
  }
}

function isDue(change: RunStatusChange, since: number): boolean {
  return change.at.getTime() >= since && !isStored(change);
}

function storedChanges(run: Made): StoredChange[] {
  const found = changesOf(run).map((change): StoredChange => ({ change, mark: run.marks?.[change.version - 1] }));
  if (found.length > 1) found[0]!.next = found[1];
  return found;
}

async function readMade(
  on: Pick<Queryable, 'query'>,
  { accountId, workflowUuid }: WantedChanges,
  last: string,
  limit: number,
): Promise<Made[]> {
  type Row = Made & Record<string, unknown>;
  return workflowUuid === null
    ? on.query<Row>(MADE_IN_ACCOUNT, [accountId, last, limit])
    : on.query<Row>(MADE_IN_WORKFLOW, [workflowUuid, last, limit]);
}
