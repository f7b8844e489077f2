import { type AuditAction } from '../../audit-log/audit-action.js';
import { auditing, auditParameter } from '../../audit-log/record-audit.js';
import { type Clock } from '../../../platform/clock.js';
import { changeTimeSql } from '../../../platform/changes/change-time.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Transaction } from '../../../platform/db/database.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
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
  /** The caller who caused it, as `actorId` names them; absent for a change that the service or an application caused. */
  actor?: string | null;
}

/** A change with its time, which is later than that of the integration's change before. */
export interface RecordedChange extends Change {
  at: Date;
  /** Its number among the changes of the account. */
  position: number;
}

class ChangedIntegration extends Integration {
  changedAt: Date;
  position: number;
}

const COLUMNS = columnsOf(Integration, 'i');

/**
 * Called with each change in its transaction, so that its writes commit with the change. Must not make outside calls.
 */
export type ChangeFollower = (tx: Transaction, integration: Integration, change: RecordedChange) => Promise<void>;

/** Wakes the listeners of all processes after the commit. */
export function hintAtChanges(notifications: Notifications): ChangeFollower {
  return async (tx, { accountId }, { position }) =>
    notifications.publish(tx, integrationChanged, { accountId, position });
}

/**
 * Called before each change is recorded, in its transaction, for writes that need no lock of the account. @returns a
 * function for the end of the transaction. Must not make outside calls.
 */
export type ChangePreparer = (
  tx: Transaction,
  uuid: string,
  change: Change,
) => Promise<(() => Promise<void>) | undefined>;

/** Records every change of an integration's status, and calls the followers. Nothing else writes the status. */
export class ChangeRecorder {
  constructor(
    private readonly clock: Clock,
    private readonly followers: readonly ChangeFollower[] = [],
    private readonly preparers: readonly ChangePreparer[] = [],
  ) {}

  /** Records a change in the caller's transaction, which has locked the integration's row. @returns the new state. */
  async record(tx: Transaction, uuid: string, change: Change): Promise<Integration> {
    const finishing: (() => Promise<void>)[] = [];
    for (const prepare of this.preparers)
      finishing.push((await prepare(tx, uuid, change)) ?? (() => Promise.resolve()));
    const integration = await store(tx, this.clock.now(), uuid, change);
    const recorded = { ...change, at: integration.changedAt, position: integration.position };
    for (const follow of this.followers) await follow(tx, integration, recorded);
    for (const finish of finishing) await finish();
    return integration;
  }
}

const ALWAYS_AUDITED: ReadonlySet<StatusReason> = new Set([...GOOD_REASONS, 'disconnected_by_user', 'deleted']);

/** Whether the log has the change: a failed authorization that left the connection as it was is only in the history. */
function isAudited({ from, to, reason }: Change): boolean {
  return from !== to || ALWAYS_AUDITED.has(reason);
}

function actionOf({ from, to, reason }: Change): AuditAction {
  if (from === null) return 'integration.created';
  return reason === 'deleted' ? 'integration.deleted' : `integration.${to}`;
}

/**
 * Writes status, reason, version, history row and audit entry in one statement. Updating the account's counter locks it
 * until the commit, so changes of one account commit in the order of their positions. Parameters: the integration, its
 * status and reason, the change's id, the status before, the change's reason, now, actor, action, `auditParameter`.
 */
const STORE = `
  WITH i AS (
    UPDATE integrations SET status = $2, status_reason = $3, version = version + 1 WHERE id = $1 RETURNING *),
  a AS (
    UPDATE accounts SET change_position = change_position + 1 FROM i WHERE accounts.id = i.account_id
    RETURNING accounts.id, change_position),
  c AS (
    INSERT INTO integration_changes (id, account_id, integration_id, position, version, previous_status, status, reason, at, actor)
    SELECT $4, a.id, i.id, a.change_position, i.version, $5, $2, $6, ${changeTimeSql('$7', 'last.at')}, $8
    FROM i CROSS JOIN a
    LEFT JOIN integration_changes last ON last.integration_id = i.id AND last.version = i.version - 1
    RETURNING at, position),
  audited AS (${auditing({
    action: '$9',
    entry: '$10',
    from: 'i',
    accountId: 'i.account_id',
    resource: 'i.id',
    name: 'i.name',
    before: `CASE WHEN $5::text IS NOT NULL THEN json_build_object('status', $5::text, 'reason', (
        SELECT reason FROM integration_changes last WHERE last.integration_id = i.id AND last.version = i.version - 1)) END`,
    after: `CASE WHEN $5::text IS NULL
      THEN json_build_object('status', $2::text, 'reason', $6::text, 'type', i.type, 'reference', i.reference)
      ELSE json_build_object('status', $2::text, 'reason', $6::text) END`,
  })})
  SELECT ${COLUMNS}, c.at AS "changedAt", c.position FROM i, c`;

async function store(tx: Transaction, now: Date, uuid: string, change: Change): Promise<ChangedIntegration> {
  const { from, to, reason, actor } = change;
  checkTransition(from, to, reason);
  const statusReason = GOOD_REASONS.has(reason) ? null : reason;
  const [integration] = await tx.select(ChangedIntegration, STORE, [
    ...[uuid, to, statusReason, newUuid(now), from, reason, now, actor ?? null],
    ...[actionOf(change), isAudited(change) ? auditParameter(now) : null],
  ]);
  return integration!;
}
