import { columnsOf } from '../db/columns.js';
import { type Database } from '../db/database.js';
import { missing } from '../db/missing.js';
import { type RequestContext } from '../context.js';
import { fromPublicId } from '../ids.js';
import { BoundedQueue } from './bounded-queue.js';
import { type ChangeFeed } from './change-feed.js';
import { IntegrationStatusChange } from './integration-change.entity.js';

const COLUMNS = columnsOf(IntegrationStatusChange, 'c');
const BATCH = 100;

/** What a listener follows: changes that match, in the order of `key`, from after `cursor`. */
interface Course {
  key: 'version' | 'position';
  column: 'integration_id' | 'account_id';
  uuid: string;
  cursor: number;
  /** No change follows those that are in the table. */
  over?: boolean;
}

/**
 * Streams of status changes: none lost, none twice, in order. The listener is attached before anything is read; the
 * past then comes from the table, the present from the feed, and a cursor keeps the two apart.
 */
export class IntegrationSubscriptions {
  constructor(
    private readonly db: Database,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * The changes of one integration: the latest one at once, or with `afterVersion` each one after that; ends with its
   * deletion. @throws AppError `not_found` or `unauthorized`.
   */
  async one(
    context: RequestContext,
    id: string,
    afterVersion?: number | null,
  ): Promise<AsyncIterableIterator<IntegrationStatusChange>> {
    const uuid = fromPublicId('int', id);
    return this.stream(context, async () => {
      // A deleted one can still be resumed, so that who was away hears of its end.
      const [row] = uuid
        ? await this.db.query<{ version: number; deleted: boolean }>(
            `SELECT version, deleted_at IS NOT NULL AS deleted FROM integrations WHERE id = $1 AND account_id = $2`,
            [uuid, context.accountId],
          )
        : [];
      const resumes = typeof afterVersion === 'number';
      if (row === undefined || (row.deleted && !resumes)) throw await missing(this.db, 'integrations', uuid, context.accountId);
      return {
        key: 'version',
        column: 'integration_id',
        uuid: uuid!,
        cursor: resumes ? afterVersion : row.version - 1,
        over: row.deleted,
      };
    });
  }

  /**
   * Every change of the account from now on, or from after the change `after`.
   * @throws AppError `not_found` or `unauthorized` for an `after` that is unknown or older than 30 days.
   */
  async all(context: RequestContext, after?: string | null): Promise<AsyncIterableIterator<IntegrationStatusChange>> {
    return this.stream(context, async (position) => {
      const course = { key: 'position', column: 'account_id', uuid: context.accountId } as const;
      if (typeof after !== 'string') return { ...course, cursor: position };
      const uuid = fromPublicId('chg', after);
      const [row] = uuid
        ? await this.db.query<{ position: number }>(
            `SELECT position FROM integration_changes
             WHERE id = $1 AND account_id = $2 AND at > clock_now() - interval '30 days'`,
            [uuid, context.accountId],
          )
        : [];
      if (row === undefined) throw await missing(this.db, 'integration_changes', uuid, context.accountId);
      return { ...course, cursor: row.position };
    });
  }

  private async stream(
    context: RequestContext,
    plan: (position: number) => Promise<Course>,
  ): Promise<AsyncIterableIterator<IntegrationStatusChange>> {
    let detach: () => void = () => undefined;
    let onLive: (change: IntegrationStatusChange) => void = () => undefined;
    const queue = new BoundedQueue<IntegrationStatusChange>({
      onClose: () => detach(),
      onOverflow: () => context.onSlowReader(),
    });
    const listening = await this.feed.listen(context.accountId, (change) => onLive(change));
    detach = listening.detach;
    try {
      const course = await plan(listening.position);
      onLive = this.follow(queue, course);
    } catch (error) {
      detach();
      throw error;
    }
    return queue;
  }

  /** Reads the past into the queue, as fast as it is taken; what commits meanwhile is in the table too. */
  private follow(
    queue: BoundedQueue<IntegrationStatusChange>,
    course: Course,
  ): (change: IntegrationStatusChange) => void {
    let cursor = course.cursor;
    let more = true;
    let caughtUp = false;
    let over = course.over ?? false;
    const hand = (change: IntegrationStatusChange): void => {
      if (change[course.key] > cursor) {
        cursor = change[course.key];
        queue.push(change);
      }
      if (over) queue.end();
    };
    const readPast = async (): Promise<void> => {
      while (more && !queue.isEnded) {
        more = false;
        const changes = await this.db.select(
          IntegrationStatusChange,
          `SELECT ${COLUMNS} FROM integration_changes c WHERE c.${course.column} = $1 AND c.${course.key} > $2
           ORDER BY c.${course.key} LIMIT ${BATCH}`,
          [course.uuid, cursor],
        );
        changes.forEach(hand);
        if (changes.length === BATCH) more = true;
        if (more) await queue.drained();
      }
      caughtUp = true;
      if (over) queue.end();
    };
    readPast().catch((error: unknown) => queue.fail(error));
    return (change) => {
      if (course.column === 'integration_id') {
        if (change.integrationId !== course.uuid) return;
        if (change.reason === 'deleted') over = true;
      }
      if (caughtUp) hand(change);
      else more = true;
    };
  }
}
