import { columnsOf } from '../../platform/db/columns.js';
import { addTotals } from './workflow-totals.js';
import { recordWorkflowEvent } from './workflow-webhook.js';
import { Workflow } from './workflow.entity.js';

/** The columns of a workflow under the alias `w`. */
export const COLUMNS = columnsOf(Workflow, 'w');

// Built once: building and hashing texts of this length for each request would cost more than sending them.

/**
 * Inserts the row, its count and its event. Parameters: uuid, account, name, description, status, now, slot, event's
 * uuid, public id, hops.
 */
export const CREATE = `
  WITH counted AS (${addTotals(`VALUES ($2, $5::text, $7::smallint, 1)`)}),
  w AS (
    INSERT INTO workflows (id, account_id, name, description, status, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING *)
  SELECT ${COLUMNS}, ${recordWorkflowEvent({ type: 'workflow.created', event: '$8', id: '$9', now: '$6', hops: '$10' })}
  FROM w`;

/**
 * Changes the fields that are not null. Parameters: uuid, account, name, whether the description is given, description,
 * status, now, slot, event's uuid, public id, hops.
 */
export const CHANGE = `
  WITH old AS (SELECT id, status FROM workflows WHERE id = $1 AND account_id = $2 FOR UPDATE),
  w AS (
    UPDATE workflows SET
      name = coalesce($3, name),
      description = CASE WHEN $4 THEN $5 ELSE description END,
      status = coalesce($6, workflows.status),
      updated_at = greatest($7, updated_at + interval '1 ms')
    FROM old WHERE workflows.id = old.id RETURNING workflows.*, old.status AS old_status),
  counted AS (${addTotals(
    // Sorted, so that opposite transitions lock their rows in the same order.
    `SELECT $2::uuid, s.status, $8::smallint, s.total
     FROM w, LATERAL (VALUES (w.old_status, -1), (w.status, 1)) s (status, total)
     WHERE w.old_status <> w.status ORDER BY s.status`,
  )})
  SELECT ${COLUMNS}, w.old_status AS "oldStatus",
    ${recordWorkflowEvent({ type: 'workflow.updated', event: '$9', id: '$10', now: '$7', hops: '$11' })}
  FROM w`;

/** Deletes the row and records the event. Parameters: uuid, account, event's uuid, public id, now, hops. */
export const DELETE = `
  WITH w AS (DELETE FROM workflows WHERE id = $1 AND account_id = $2 RETURNING *)
  SELECT ${COLUMNS},
    ${recordWorkflowEvent({ type: 'workflow.deleted', event: '$3', id: '$4', now: '$5', hops: '$6' })}
  FROM w`;
