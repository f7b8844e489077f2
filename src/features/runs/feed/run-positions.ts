import { type Queryable } from '../../../platform/db/database.js';
import { queryOwned } from '../../../platform/db/owned-rows.js';
import { notFound } from '../../../platform/errors.js';
import { fromPublicId, timeOf, toPublicId } from '../../../platform/ids/ids.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { horizonOf, Snapshot, transactionOf } from './change-marks.js';
import { readLateChangesOf, type StoredChange } from './late-changes.js';
import { changeId, changesOf, RUN_HISTORY, type RunHistory, type RunStatusChange } from './run-change.js';

/** How long after a change a listener may resume behind it, in milliseconds. */
export const RESUMABLE_MS = 86_400_000;

/**
 * The maximum time between the time of a change and its commit, in milliseconds: the transactions that change runs have
 * time limits. Changes of this long before a position may be missing at the listener.
 */
export const COMMITTED_WITHIN_MS = 60_000;

/**
 * Creations are read from the tables, other changes come by NOTIFY: a listener may be sent a creation this long before an
 * earlier change, because a LISTEN connection that died is noticed late. In milliseconds.
 */
const AHEAD_MS = 10_000;

/** Where a listener is in the changes of an account. */
export interface RunPosition {
  /** Milliseconds since 1970. Later changes are missing. */
  at: number;
  /** The listener has what transactions below this one changed until `at`; 0 if that is unknown. */
  horizon: bigint;
  /** The last change that it received; undefined for the position of a list. */
  change?: { runUuid: string; version: number };
}

/** Whether a listener at the position certainly has the change. */
export function isKnown(position: RunPosition, { change, mark, next }: StoredChange): boolean {
  const { at, horizon, change: last } = position;
  const time = change.at.getTime();
  if (last === undefined) return time <= at && isBelow(horizon, mark);
  if (last.runUuid === change.runUuid && change.version <= last.version) return true;
  // A creation is certainly sent just before the next change of its run, otherwise perhaps some time after its commit.
  if (isCreation(change)) return next !== undefined && isKnown(position, next);
  return time < (last.version === 1 ? at - AHEAD_MS : at) && isBelow(horizon, mark);
}

/** Whether the next change of the run may follow. A skipped run has none. */
function isCreation({ version, status }: RunStatusChange): boolean {
  return version === 1 && status === 'queued';
}

function isBelow(horizon: bigint, mark: string | undefined): boolean {
  return mark !== undefined && transactionOf(mark) < horizon;
}

const CHANGE_ID = /^(rch_[^_]+)_(0|[1-9]\d{0,8})$/;

/**
 * An id for resuming behind a list that is read after this. It looks like the change 0 of a run, whose UUID has the time and
 * the horizon.
 */
export async function positionOfList(on: Queryable, now: Date): Promise<string> {
  return positionId(now, (await Snapshot.take(on)).horizon);
}

/** The same for a list that was read some seconds ago: changes of the minute before are sent again. */
export function positionAt(now: Date): string {
  return positionId(now, 0n);
}

function positionId(now: Date, horizon: bigint): string {
  const hex = horizon.toString(16).padStart(16, '0');
  return changeId(`${lowestUuidAt(now.getTime()).slice(0, 19)}${hex.slice(0, 4)}-${hex.slice(4)}`, 0);
}

/**
 * The position of a listener that has the change with this id.
 * @throws AppError `not_found` if no such change is stored or it is older than a day; `unauthorized` for another
 * account's.
 */
export async function positionOf(on: Queryable, accountId: string, id: string, now: Date): Promise<RunPosition> {
  const position = await findPosition(on, accountId, id);
  if (position === undefined || now.getTime() - position.at > RESUMABLE_MS) throw notFound('run status change');
  return position;
}

async function findPosition(on: Queryable, accountId: string, id: string): Promise<RunPosition | undefined> {
  const [, name = '', number = ''] = CHANGE_ID.exec(id) ?? [];
  const runUuid = fromPublicId('rch', name);
  if (runUuid === undefined) return undefined;
  const version = Number(number);
  if (version === 0) {
    return { at: timeOf(runUuid).getTime(), horizon: BigInt(`0x${runUuid.slice(19).replaceAll('-', '')}`) };
  }
  const run = { table: 'runs', accountId, id: toPublicId('run', runUuid) } as const;
  const { marks, ...history } = await queryOwned(on, run, () =>
    on.query<RunHistory & { marks: string[] | null }>(
      `SELECT ${RUN_HISTORY}, r.change_marks::text[] AS marks FROM runs r WHERE r.id = $1 AND r.account_id = $2`,
      [runUuid, accountId],
    ),
  );
  const at = (await timeOfChange(on, history, version))?.getTime();
  const mark = marks?.[version - 1];
  return at === undefined
    ? undefined
    : { at, horizon: mark === undefined ? 0n : horizonOf(mark), change: { runUuid, version } };
}

/** When the change with this version happened; undefined if there is none, or none is stored any more. */
async function timeOfChange(
  on: Pick<Queryable, 'query'>,
  history: RunHistory,
  version: number,
): Promise<Date | undefined> {
  const told = changesOf(history).find((change) => change.version === version);
  if (told !== undefined || version > history.version) return told?.at;
  const stored = await readLateChangesOf(on, [history], timeOf(history.uuid));
  return stored.find(({ change }) => change.version === version)?.change.at;
}
