import { actorId } from '../../../platform/graphql/actor.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Clock } from '../../../platform/clock.js';
import { accountKeysSql, accountLockSql } from '../../../platform/db/advisory-locks.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { findOwned, inField } from '../../../platform/db/owned-rows.js';
import { demandFirstOperation } from '../../../platform/db/transaction-context.js';
import { AppError, validationError } from '../../../platform/errors.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type RetryFrom } from '../control/retry-from.js';
import { MAX_HOPS } from '../queue/firings.js';
import { recordBulkChange } from './bulk-changes.js';
import { fixItems } from './bulk-items.js';
import { BulkOperation } from './bulk-operation.entity.js';
import { type RunSelection } from '../run.inputs.js';
import { type BulkKind } from './bulk-status.js';

/** The most runs that all operations of an account have left: it bounds the items that are stored. */
export const MAX_LEFT = 500_000;

const COLUMNS = columnsOf(BulkOperation, 'b');
const FILTERS = ['workflowId', 'triggerId', 'status', 'createdAfter', 'createdBefore', 'errorCode'] as const;

const TOO_MANY_LEFT = `Running bulk operations of the account have up to ${MAX_LEFT} runs left, the most that they may. Wait for the end of one, or cancel it.`;

/** What an operation does, as its request says. */
interface Wanted {
  kind: BulkKind;
  retryFrom: RetryFrom | null;
}

/** Begins bulk operations: the request itself only fixes the runs that match. */
export class BulkRequests {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  /** @throws AppError `validation_error`; `not_found` or `unauthorized` for an id; `conflict` at the limit of operations, for a request that a chain of runs made, or behind another operation of a unit of work. */
  retry(context: RequestContext, filter: RunSelection, from: RetryFrom): Promise<BulkOperation> {
    if (context.hops >= MAX_HOPS) throw new AppError('conflict', 'The runs may not be retried now: loop.');
    return this.begin(context, filter, { kind: 'retry', retryFrom: from });
  }

  /** @throws AppError as `retry` does. */
  cancel(context: RequestContext, filter: RunSelection): Promise<BulkOperation> {
    return this.begin(context, filter, { kind: 'cancel', retryFrom: null });
  }

  private begin(context: RequestContext, filter: RunSelection, wanted: Wanted): Promise<BulkOperation> {
    // A program whose variable is empty by mistake must not change the runs of the whole account.
    const empty = ([...FILTERS, 'isTest'] as const).find((name) => filter[name] === null);
    if (empty !== undefined) {
      throw validationError({ field: empty, message: 'must not be null: give a value, or leave it out' });
    }
    if (filter.isTest === undefined && FILTERS.every((name) => filter[name] === undefined)) {
      throw validationError({
        field: FILTERS[0],
        message: 'or another filter is required: of the trigger, status, time or error code',
      });
    }
    demandFirstOperation('This operation searches many runs');
    const { accountId } = context;
    return this.db.transaction(async (tx) => {
      await demandOwn(tx, accountId, filter);
      const room = await roomOf(tx, accountId);
      const now = this.clock.now();
      const uuid = newUuid(now);
      const matched = await fixItems(tx, { accountId, uuid, filter, taking: wanted.retryFrom ?? 'cancel' });
      if (matched > room) throw new AppError('conflict', TOO_MANY_LEFT);
      const [operation] = await tx.select(
        BulkOperation,
        `INSERT INTO bulk_operations AS b (id, account_id, kind, retry_from, status, matched, actor, hops, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
        [
          ...[uuid, accountId, wanted.kind, wanted.retryFrom, matched === 0 ? 'done' : 'running', matched],
          ...[actorId(context.caller), context.hops, timeOf(uuid)],
        ],
      );
      await recordBulkChange(tx, this.notifications, now, operation!);
      return operation!;
    });
  }
}

/**
 * Orders the requests of the account until the commit, so that they are counted one after the other and at most one
 * statement of an account searches its runs. Batches never wait for this lock, and the counter is locked after the
 * search: a search takes seconds. Batches only make room. @returns the number of runs that further operations may take.
 */
async function roomOf(tx: Transaction, accountId: string): Promise<number> {
  await tx.query(`SELECT ${accountLockSql(accountKeysSql('$1', `'bulk requests'`))}`, [accountId]);
  const [sum] = await tx.query<{ left: number }>(
    `SELECT coalesce(sum(matched - done - failed), 0)::integer AS left FROM bulk_operations
     WHERE account_id = $1 AND status = 'running'`,
    [accountId],
  );
  return MAX_LEFT - sum!.left;
}

/** @throws AppError as for a link to the object: a mistyped id must not look like a filter that matches nothing. */
async function demandOwn(tx: Transaction, accountId: string, { workflowId, triggerId }: RunSelection): Promise<void> {
  if (workflowId != null) {
    const row = { table: 'workflows', accountId, id: workflowId } as const;
    await findOwned(tx, row, 'id').catch(inField('workflowId'));
  }
  if (triggerId != null) {
    const row = { table: 'triggers', accountId, id: triggerId } as const;
    await findOwned(tx, row, 'id').catch(inField('triggerId'));
  }
}
