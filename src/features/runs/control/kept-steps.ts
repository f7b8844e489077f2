import { type Queryable } from '../../../platform/db/database.js';

/** A retry that carried over steps of an earlier run, directly or through retries between them. */
export interface KeepingRetry {
  uuid: string;
  accountId: string;
  actionsId: string | null;
  /** The list of actions of the earlier run. */
  formerActionsId: string | null;
  /** The steps that it did not execute, each with the run that did. */
  kept: { index: number; runUuid: string }[];
}

/** Retries of one run that are looked through. */
const MAX_RETRIES = 1_000;

/** A retry is younger than its run: the bounds let PostgreSQL leave out the partitions of earlier weeks. */
const NEWEST = `
  WITH RECURSIVE later AS (
    SELECT r.id FROM runs r WHERE r.retry_of = $1 AND r.id > $1
    UNION ALL SELECT r.id FROM later l JOIN runs r ON r.retry_of = l.id WHERE r.id > $1),
  newest AS (
    SELECT l.id FROM (SELECT id FROM later LIMIT ${MAX_RETRIES}) l
    WHERE EXISTS (SELECT 1 FROM steps s WHERE s.run_id = l.id AND s.first_run_id = $1)
    ORDER BY l.id DESC LIMIT 1)
  SELECT r.id AS uuid, r.account_id AS "accountId", r.actions_id AS "actionsId",
    (SELECT f.actions_id FROM runs f WHERE f.id = $1) AS "formerActionsId",
    (SELECT json_agg(json_build_object('index', s.index, 'runUuid', s.first_run_id))
     FROM steps s WHERE s.run_id = r.id AND s.first_run_id IS NOT NULL) AS kept
  FROM newest n JOIN runs r ON r.id = n.id`;

/** The newest retry with steps that a run executed; undefined without one. */
export async function newestKeepingStepsOf(on: Queryable, run: string): Promise<KeepingRetry | undefined> {
  const [retry] = await on.query<{ [K in keyof KeepingRetry]: KeepingRetry[K] }>(NEWEST, [run]);
  return retry;
}
