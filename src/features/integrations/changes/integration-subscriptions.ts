import { type ChangeFeed } from '../../../platform/changes/change-feed.js';
import { STREAM_BATCH } from '../../../platform/changes/change-log.js';
import { type Course } from '../../../platform/changes/change-stream.js';
import { courseOfAccount, followChanges } from '../../../platform/changes/follow-changes.js';
import { positionOf } from '../../../platform/changes/latest-change.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database } from '../../../platform/db/database.js';
import { NOT_FOR_SESSIONS, type RequestContext } from '../../../platform/context.js';
import { AppError, validationError, namingField } from '../../../platform/errors.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { IntegrationStatusChange } from './integration-change.entity.js';
import { isOwn, unreachable } from '../integration.store.js';

const OF_INTEGRATION = `SELECT ${columnsOf(IntegrationStatusChange, 'c')} FROM integration_changes c WHERE c.integration_id = $1 AND c.version > $2
  ORDER BY c.version LIMIT ${STREAM_BATCH}`;

type Changes = AsyncIterableIterator<IntegrationStatusChange>;
type StatusCourse = Course<IntegrationStatusChange>;

/** The arguments of the subscription: where a listener begins. */
export interface Wanted {
  integrationId?: string | null;
  afterVersion?: number | null;
  after?: string | null;
}

/** Streams of status changes. */
export class IntegrationSubscriptions {
  constructor(
    private readonly db: Database,
    private readonly feed: ChangeFeed<IntegrationStatusChange>,
  ) {}

  /**
   * The changes of one integration, or of the whole account.
   * @throws AppError `forbidden`, `validation_error`, `not_found`, `unauthorized`; `unavailable` if it can't begin now.
   */
  async changes(context: RequestContext, { integrationId, afterVersion, after }: Wanted): Promise<Changes> {
    if (context.caller.kind === 'connect_session' && typeof integrationId !== 'string') {
      throw new AppError('forbidden', NOT_FOR_SESSIONS);
    }
    if (typeof afterVersion === 'number') {
      if (typeof integrationId !== 'string') {
        throw validationError({ field: 'afterVersion', message: 'needs an integrationId' });
      }
      if (afterVersion < 0) throw validationError({ field: 'afterVersion', message: 'must be at least 0' });
    }
    if (typeof integrationId === 'string' && typeof after === 'string') {
      throw validationError({
        field: 'after',
        message: 'is for the whole account: with integrationId use afterVersion',
      });
    }
    return typeof integrationId === 'string'
      ? followChanges(this.feed, context, () => this.courseOfOne(context, integrationId, afterVersion))
      : followChanges(this.feed, context, (position) => this.courseOfAll(context, position, after));
  }

  /** First the latest change, or every change after `afterVersion`; ends with the integration's deletion. */
  private async courseOfOne(context: RequestContext, id: string, afterVersion?: number | null): Promise<StatusCourse> {
    const uuid = fromPublicId('int', id);
    const [row] = uuid
      ? await this.db.query<{ uuid: string; version: number; deleted: boolean; connectSessionId: string | null }>(
          `SELECT id AS uuid, version, deleted_at IS NOT NULL AS deleted, connect_session_id AS "connectSessionId"
           FROM integrations WHERE id = $1 AND account_id = $2`,
          [uuid, context.accountId],
        )
      : [];
    const resumes = typeof afterVersion === 'number';
    // A deleted integration can still be resumed, so that a listener that was offline receives its last change.
    if (row === undefined || !isOwn(context.caller, row) || (row.deleted && !resumes)) {
      throw await unreachable(this.db, context, uuid);
    }
    return {
      cursor: resumes ? afterVersion : row.version - 1,
      placeOf: ({ version }) => version,
      matches: ({ integrationId }) => integrationId === uuid,
      read: (version) => this.db.select(IntegrationStatusChange, OF_INTEGRATION, [uuid, version]),
      isOver: row.deleted,
      isLast: ({ reason }) => reason === 'deleted',
    };
  }

  /** Every new change, or every change after the change `after`, unless one of them is older than 30 days. */
  private async courseOfAll(context: RequestContext, position: number, after?: string | null): Promise<StatusCourse> {
    const { log } = this.feed;
    const { accountId } = context;
    const cursor =
      typeof after === 'string' ? await namingField('after', positionOf(log, this.db, accountId, after)) : position;
    return courseOfAccount(log, this.db, accountId, cursor);
  }
}
