/** The jobs at the front of a queue that one statement passes over. Most often those behind a few of them are free. */
const FRONT = 500;

/** Statements that take up to $2 jobs, except those of the groups $1. The number of jobs of these groups does not matter. */
export interface TakeAround {
  /** Takes jobs from the front of the queue only: it costs least, but may pass over the first jobs in vain. */
  front: string;
  /**
   * Skips from group to group in the index. The first jobs of the queue are among the first of those groups whose own first
   * job comes first: so it reads a job of each group, and twice $2 jobs of $2 groups.
   */
  ofGroups: string;
}

const IS_WAITING = `state < 'active' AND NOT blocked`;

/** SQL that builds an index by which jobs are found group by group, and those of a group in their order. */
export function buildGroupIndex(name: string, schema: string): string {
  return `CREATE INDEX IF NOT EXISTS ${name} ON ${schema}.job (name, group_id, priority DESC, created_on) WHERE ${IS_WAITING}`;
}

/** Statements for the queue `name` of pg-boss, whose own fetch reads all jobs of the groups that it leaves out. */
export function takeAround(name: string, schema: string): TakeAround {
  const table = `${schema}.job`;
  const waiting = `FROM ${table} WHERE name = '${name}' AND ${IS_WAITING}`;
  const inOrder = `ORDER BY priority DESC, created_on`;
  // Neither an equality nor an order without the group: the planner would read along the order of the whole queue if it knows
  // of few groups.
  const ofGroup = (group: string) =>
    `${waiting} AND group_id BETWEEN ${group} AND ${group} ORDER BY group_id, priority DESC, created_on`;
  // Twice as many as are taken: another worker may have locked the first ones in this moment. Only the primary key finds them:
  // an index of the waiting jobs would seem as cheap to a planner that knows of few, and be read as a whole.
  const take = (found: string) => `
    WITH found AS MATERIALIZED (SELECT * FROM (${found}) free ${inOrder} LIMIT 2 * $2::integer),
    next AS (
      SELECT id FROM ${table}
      WHERE name = '${name}' AND id = ANY (ARRAY(SELECT id FROM found)) AND coalesce(${IS_WAITING}, false)
        AND start_after <= ${schema}.job_now()
      ${inOrder} LIMIT $2 FOR UPDATE SKIP LOCKED)
    UPDATE ${table} SET state = 'active', started_on = ${schema}.job_now(), heartbeat_on = ${schema}.job_now(),
      retry_count = retry_count + CASE WHEN started_on IS NULL THEN 0 ELSE 1 END
    WHERE name = '${name}' AND id = ANY (ARRAY(SELECT id FROM next))
    RETURNING id, retry_count AS "retryCount", group_id AS "groupId"`;
  return {
    front: take(`
      SELECT id, priority, created_on
      FROM (SELECT id, priority, created_on, group_id ${waiting} ${inOrder} LIMIT ${FRONT}) front
      WHERE group_id <> ALL ($1::text[])`),
    ofGroups: take(`
      WITH RECURSIVE groups AS (
        (SELECT group_id ${waiting} ORDER BY group_id LIMIT 1)
        UNION ALL
        SELECT (SELECT group_id ${waiting} AND group_id > groups.group_id ORDER BY group_id LIMIT 1)
        FROM groups WHERE groups.group_id IS NOT NULL),
      heads AS (
        SELECT groups.group_id FROM groups CROSS JOIN LATERAL (
          SELECT priority, created_on ${ofGroup('groups.group_id')} LIMIT 1) head
        WHERE groups.group_id <> ALL ($1::text[]) ${inOrder} LIMIT $2)
      SELECT own.* FROM heads CROSS JOIN LATERAL (
        SELECT id, priority, created_on ${ofGroup('heads.group_id')} LIMIT 2 * $2) own`),
  };
}
