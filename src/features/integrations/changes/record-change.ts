import { type Clock } from '../../../platform/clock.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Transaction } from '../../../platform/db/database.js';
import { NOTIFY_CHANNEL } from '../../../platform/notifications/notifications.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { Integration } from '../integration.entity.js';
import { integrationChanged } from './integration.events.js';
import { checkTransition, GOOD_REASONS, type IntegrationStatus, type StatusReason } from './integration-status.js';

/** A change to record: status before and after, and why. */
export interface Change {
  from: IntegrationStatus | null;
  to: IntegrationStatus;
  reason: StatusReason;
  /** How many runs in a row led to it; absent for a change that no request caused. */
  hops?: number;
}

const COLUMNS = columnsOf(Integration, 'i');

/**
 * Called with each change in its transaction, so that its writes commit with the change. Must not make outside calls.
 */
export type ChangeFollower = (tx: Transaction, integration: Integration, change: Change) => Promise<void>;

/** Records every change of an integration's status, and calls the followers. Nothing else writes the status. */
export class ChangeRecorder {
  constructor(
    private readonly clock: Clock,
    private readonly followers: readonly ChangeFollower[] = [],
  ) {}

  /** Records a change in the caller's transaction, which has locked the integration's row. @returns the new state. */
  async record(tx: Transaction, uuid: string, change: Change): Promise<Integration> {
    const integration = await store(tx, this.clock.now(), uuid, change);
    for (const follow of this.followers) await follow(tx, integration, change);
    return integration;
  }
}

/**
 * Writes status, reason, version, history row and NOTIFY in one statement. Updating the account's counter locks it
 * until the commit, so changes of one account commit in the order of their positions.
 */
async function store(tx: Transaction, now: Date, uuid: string, change: Change): Promise<Integration> {
  checkTransition(change.from, change.to, change.reason);
  const [integration] = await tx.select(
    Integration,
    `WITH i AS (
       UPDATE integrations SET status = $2, status_reason = $3, version = version + 1 WHERE id = $1 RETURNING *),
     a AS (
       UPDATE accounts SET change_position = change_position + 1 FROM i WHERE accounts.id = i.account_id
       RETURNING accounts.id, change_position),
     c AS (
       INSERT INTO integration_changes (id, account_id, integration_id, position, version, previous_status, status, reason, at)
       SELECT $4, a.id, i.id, a.change_position, i.version, $5, $2, $6, $7 FROM i, a),
     n AS (
       SELECT pg_notify($8, json_build_object('topic', $9::text, 'payload',
         json_build_object('accountId', a.id, 'position', a.change_position))::text) FROM a)
     SELECT ${COLUMNS} FROM i, n`,
    [
      uuid,
      change.to,
      GOOD_REASONS.has(change.reason) ? null : change.reason,
      newUuid(now),
      change.from,
      change.reason,
      now,
      NOTIFY_CHANNEL,
      integrationChanged.name,
    ],
  );
  return integration!;
}
