import { changeTimeSql } from '../../platform/changes/change-time.js';
import { auditing, factsSql, NO_FACTS } from '../audit-log/record-audit.js';
import { columnsOf } from '../../platform/db/columns.js';
import { addTotals } from './workflow-totals.js';
import { recordWorkflowEvent } from './workflow-webhook.js';
import { Workflow } from './workflow.entity.js';

/** SQL for the public fields of a workflow in the audit log, by the prefix of their columns. */
const factsOf = (prefix: string): string => factsSql(prefix, ['name', 'description', 'status', 'failure_notice_after']);
const FACTS = factsOf('w.');
const OF_ROW = { from: 'w', accountId: 'w.account_id', resource: 'w.id', name: 'w.name' } as const;

/** The columns of a workflow under the alias `w`. */
export const COLUMNS = columnsOf(Workflow, 'w');

const CREATED = recordWorkflowEvent({
  type: 'workflow.created',
  event: '$8',
  now: '$6',
  hops: '$10',
  body: '$9::text',
});
const CHANGED = recordWorkflowEvent({ type: 'workflow.updated', event: '$9', id: '$10', now: '$7', hops: '$11' });
const DELETED = recordWorkflowEvent({ type: 'workflow.deleted', event: '$3', id: '$4', now: '$5', hops: '$6' });

// Built once: building and hashing texts of this length for each request would cost more than sending them.

/**
 * Inserts the row, its count and its event. Parameters: uuid, account, name, description, status, now, slot, event's
 * uuid, body of the event, hops, failures before a notice, `auditParameter`.
 */
export const CREATE = `
  WITH counted AS (${addTotals(`VALUES ($2, $5::text, $7::smallint, 1)`)}),
  w AS (
    INSERT INTO workflows (id, account_id, name, description, status, created_at, updated_at, failure_notice_after)
    VALUES ($1, $2, $3, $4, $5, $6, $6, $11) RETURNING *),
  audited AS (${auditing({ ...OF_ROW, action: 'workflow.created', entry: '$12', before: NO_FACTS, after: FACTS })}),
  logged AS (${CREATED.logged})
  SELECT ${COLUMNS}, ${CREATED.told} FROM w`;

/**
 * Changes the fields that are not null. Parameters: uuid, account, name, whether the description is given, description,
 * status, now, slot, event's uuid, public id, hops, whether the failures before a notice are given, these, and
 * `auditParameter`.
 */
export const CHANGE = `
  WITH old AS (SELECT id, status, name, description, failure_notice_after FROM workflows WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE),
  w AS (
    UPDATE workflows SET
      name = coalesce($3, workflows.name),
      description = CASE WHEN $4 THEN $5 ELSE workflows.description END,
      status = coalesce($6, workflows.status),
      failure_notice_after = CASE WHEN $12 THEN $13 ELSE workflows.failure_notice_after END,
      updated_at = ${changeTimeSql('$7', 'updated_at')}
    FROM old WHERE workflows.id = old.id RETURNING workflows.*,
      old.status AS old_status, old.name AS old_name, old.description AS old_description,
      old.failure_notice_after AS old_failure_notice_after),
  audited AS (${auditing({
    ...OF_ROW,
    action: 'workflow.updated',
    entry: '$14',
    before: factsOf('w.old_'),
    after: FACTS,
  })}),
  counted AS (${addTotals(
    // Sorted, so that opposite transitions lock their rows in the same order.
    `SELECT $2::uuid, s.status, $8::smallint, s.total
     FROM w, LATERAL (VALUES (w.old_status, -1), (w.status, 1)) s (status, total)
     WHERE w.old_status <> w.status ORDER BY s.status`,
  )}),
  logged AS (${CHANGED.logged})
  SELECT ${COLUMNS}, w.old_status AS "oldStatus", ${CHANGED.told} FROM w`;

/** Deletes the row and records the event. Parameters: uuid, account, event's uuid, public id, now, hops, `auditParameter`. */
export const DELETE = `
  WITH w AS (DELETE FROM workflows WHERE id = $1 AND account_id = $2 RETURNING *),
  audited AS (${auditing({ ...OF_ROW, action: 'workflow.deleted', entry: '$7', before: FACTS, after: NO_FACTS })}),
  logged AS (${DELETED.logged})
  SELECT ${COLUMNS}, ${DELETED.told} FROM w`;
