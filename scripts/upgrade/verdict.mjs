import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../ha/processes.mjs';

/** Compares what clients, receivers and subscribers saw with the database. Each line of `must be 0` is a fault. */
export async function verdict({ load, receiver, db, ids }) {
  const number = async (text) => Number((await db.query(text)).rows[0].count);
  const open = `SELECT (SELECT count(*) FROM runs WHERE status IN ('queued', 'running')) +
    (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending') AS count`;
  await until('the end of all runs and deliveries', async () => (await number(open)) === 0, 180_000, 500);
  await sleep(2_000);
  const acknowledged = load.hooks.answers.filter(({ status }) => status === 202);
  const posts = await db.query(`SELECT id, status, input ->> 'n' AS n FROM runs WHERE trigger_type = 'webhook'`);
  const stored = Map.groupBy(posts.rows, ({ n }) => Number(n));
  const runOf = new Map(posts.rows.map(({ id, n }) => [Number(n), ids('run', id)]));
  const mixed = acknowledged.filter(({ n }) => n >= load.mixedFrom && n < load.mixedTo);
  const heard = load.runListeners.map(({ ended, wasCut }) =>
    wasCut ? 0 : mixed.filter(({ n }) => !ended.has(runOf.get(n))).length,
  );
  const { rows: workflows } = await db.query(`SELECT id FROM workflows`);
  const known = new Set(workflows.map(({ id }) => ids('wf', id)));
  const log = await db.query(`SELECT id, integration_id FROM integration_changes ORDER BY account_id, position`);
  const changes = load.listeners.judge(
    log.rows.map((row) => ({ change: ids('chg', row.id), integration: ids('int', row.integration_id) })),
  );
  const failed = posts.rows.filter(({ status }) => status !== 'succeeded');
  return {
    counts: {
      'hooks acknowledged': acknowledged.length,
      'of them while both versions ran': mixed.length,
      'workflows created': load.created.length,
      'connections changed': load.changes.done,
      ticks: await number(`SELECT count(*) FROM runs WHERE trigger_type = 'schedule'`),
      'changes heard by subscribers': changes['changes heard by subscribers'],
    },
    mustBeZero: {
      'hooks refused': load.hooks.answers.length - acknowledged.length,
      'acknowledged hooks lost': acknowledged.filter(({ n }) => !stored.has(n)).length,
      'hooks with two runs': [...stored.values()].filter(({ length }) => length > 1).length,
      'runs that did not succeed': failed.length,
      'runs without their call': acknowledged.filter(
        ({ n }) => !receiver.calls.has(String(n)) && !receiver.calls.has(n),
      ).length,
      'runs without their webhook': acknowledged.filter(({ n }) => !receiver.events.has(runOf.get(n))).length,
      // One that is cut off as too slow, by a machine that is too busy for the test, is no proof of anything.
      'subscribers of runs cut off': load.runListeners.filter(({ wasCut }) => wasCut).length,
      'ends of runs not heard': heard.reduce((sum, count) => sum + count, 0),
      'creates refused': Object.values(load.refused).reduce((sum, count) => sum + count, 0),
      'created workflows lost': load.created.filter((id) => !known.has(id)).length,
      'connection changes refused': Object.values(load.changes.failed).reduce((sum, count) => sum + count, 0),
      'ticks doubled': await number(`SELECT count(*) FROM (
        SELECT 1 FROM runs WHERE trigger_type = 'schedule' GROUP BY trigger_id, scheduled_for HAVING count(*) > 1) twice`),
      'changes missed': changes['changes missed'],
      'changes doubled': changes['changes doubled'],
      'changes out of order': changes['changes out of order'],
    },
    /** For the operator of the test, when something is not 0. */
    details: {
      runListeners: load.runListeners.map(
        ({ closed }, index) =>
          `${closed ?? 'open'}, ${heard[index]} not heard, from ${mixed
            .filter(({ n }) => !load.runListeners[index].ended.has(runOf.get(n)))
            .map(({ n }) => n)
            .sort((a, b) => a - b)
            .slice(0, 5)} of ${load.mixedFrom} to ${load.mixedTo}`,
      ),
      creates: load.refused,
      changes: load.changes.failed,
      hooks: load.hooks.answers.filter(({ status }) => status !== 202).slice(0, 5),
    },
  };
}
