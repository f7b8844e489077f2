import { type RequestContext } from '../../../platform/context.js';
import { type Course } from '../../../platform/changes/change-stream.js';
import { STREAM_BATCH } from '../../../platform/changes/change-log.js';
import { courseOfAccount, followChanges } from '../../../platform/changes/follow-changes.js';
import { positionOf } from '../../../platform/changes/latest-change.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { validationError, namingField } from '../../../platform/errors.js';
import { type WaitKind, type WaitStatus } from '../wait-status.js';
import { WaitChange } from './wait-change.entity.js';
import { type WaitFeed, waitChanges } from './wait-changes.js';

const OF_WAIT = `SELECT ${columnsOf(WaitChange, 'c')} FROM wait_changes c WHERE c.wait_id = $1 AND c.position > $2
  ORDER BY c.position LIMIT ${STREAM_BATCH}`;

const OF_ACCOUNT = `SELECT ${columnsOf(WaitChange, 'c')} FROM wait_changes c WHERE c.account_id = $1 AND c.position > $2
    AND ($3::uuid IS NULL OR c.run_id = $3) AND ($4::text IS NULL OR c.kind = $4)
  ORDER BY c.position LIMIT ${STREAM_BATCH}`;

/** The arguments of the subscription; its description explains them. */
export interface WantedWaits {
  waitId?: string | null;
  runId?: string | null;
  kind?: WaitKind | null;
  after?: string | null;
}

type Changes = AsyncIterableIterator<WaitChange>;

/** Streams of changes of waits: one wait's, or the account's. */
export class WaitSubscriptions {
  constructor(
    private readonly db: Database,
    private readonly feed: WaitFeed,
  ) {}

  /** @throws AppError `validation_error`, `not_found`, `unauthorized`; `unavailable` if the stream can't begin now. */
  async changes(context: RequestContext, wanted: WantedWaits): Promise<Changes> {
    const { waitId } = wanted;
    if (typeof waitId !== 'string')
      return followChanges(this.feed, context, (position) => this.courseOfAll(context, position, wanted));
    for (const field of ['after', 'runId', 'kind'] as const)
      if (wanted[field] != null) throw validationError({ field, message: 'cannot be combined with waitId' });
    return followChanges(this.feed, context, () => this.courseOfOne(context, waitId));
  }

  /** The latest change at once, then each further one until the wait has ended. */
  private async courseOfOne({ accountId }: RequestContext, id: string): Promise<Course<WaitChange>> {
    const { uuid, status, last } = await findOwned<{ uuid: string; status: WaitStatus; last: number | null }>(
      this.db,
      { table: 'waits', accountId, id },
      `id AS uuid, status, (SELECT max(position) FROM wait_changes WHERE wait_id = waits.id) AS last`,
    );
    return {
      cursor: (last ?? 0) - 1,
      placeOf: ({ position }) => position,
      matches: ({ waitUuid }) => waitUuid === uuid,
      read: (position) => this.db.select(WaitChange, OF_WAIT, [uuid, position]),
      isOver: status !== 'pending',
      isLast: ({ status: after }) => after !== 'pending',
    };
  }

  /** Every new change of the account, or every change after the one with the id `after`, of the runs and kinds wanted. */
  private async courseOfAll(
    { accountId }: RequestContext,
    position: number,
    { runId, kind, after }: WantedWaits,
  ): Promise<Course<WaitChange>> {
    const run = typeof runId === 'string' ? await this.run(accountId, runId) : undefined;
    const cursor =
      typeof after === 'string'
        ? await namingField('after', positionOf(waitChanges, this.db, accountId, after))
        : position;
    // Past changes may be many, of which few are of the run or the kind.
    const on = after == null ? this.db : this.db.expensive;
    return {
      ...courseOfAccount(waitChanges, this.db, accountId, cursor),
      matches: (change) => (run === undefined || change.runUuid === run) && (kind == null || change.kind === kind),
      read: (place) => on.select(WaitChange, OF_ACCOUNT, [accountId, place, run ?? null, kind ?? null]),
    };
  }

  private async run(accountId: string, id: string): Promise<string> {
    return (await findOwned<{ uuid: string }>(this.db, { table: 'runs', accountId, id }, 'id AS uuid')).uuid;
  }
}
