// A month of runs: copies of the real ones with their steps, at other times. The result is the same for the same day.
import { fromPublicId, newUuid } from '../../dist/src/platform/ids/ids.js';

const DAY = 86_400_000;
const DAYS = 30;

export async function fillThePast(db, workflows) {
  const random = sequence(7);
  const now = Date.now();
  for (const { id, perDay } of workflows) {
    const workflow = fromPublicId('wf', id);
    const models = await db.query(`SELECT id, status FROM runs WHERE workflow_id = $1 ORDER BY id`, [workflow]);
    if (models.length === 0) continue;
    const times = Array.from({ length: DAYS }, (_, day) => timesOf(now, day, perDay, random)).flat();
    const copies = times.map((time) => ({
      model: modelOf(models, random),
      id: newUuid(new Date(time)),
      time: new Date(time).toISOString(),
      status: outcome(random()),
    }));
    await copyRuns(db, copies);
    await db.query(`UPDATE workflows SET run_count = run_count + $2 WHERE id = $1`, [workflow, copies.length]);
  }
}

/** Times of runs: more on workdays than on weekends, more by day than by night. */
function timesOf(now, day, perDay, random) {
  const midnight = new Date(now - day * DAY).setHours(0, 0, 0, 0);
  const weekend = [0, 6].includes(new Date(midnight).getDay());
  const count = Math.round(perDay * (weekend ? 0.35 : 0.8 + random() * 0.4));
  return Array.from({ length: count }, () => midnight + DAY * ((random() + random() + random()) / 3)).filter(
    (time) => time < now - 120_000,
  );
}

/** Chooses a run to copy; a failed one rarely, if others succeeded. */
function modelOf(models, random) {
  const failed = models.filter(({ status }) => status === 'failed');
  const others = models.filter(({ status }) => status !== 'failed');
  const from = others.length === 0 || (failed.length > 0 && random() < 0.02) ? failed : others;
  return from[Math.floor(random() * from.length)].id;
}

/** The status of a copy: mostly that of the model, sometimes canceled or skipped. */
function outcome(chance) {
  if (chance < 0.012) return 'canceled';
  if (chance < 0.03) return 'skipped';
  return null;
}

async function copyRuns(db, copies) {
  const columns = [
    copies.map((c) => c.model),
    copies.map((c) => c.id),
    copies.map((c) => c.time),
    copies.map((c) => c.status),
  ];
  const copied = `unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) AS c (model, id, at, status)`;
  await db.query(
    `INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, status_reason, attempt, input, error,
       actions_id, created_at, started_at, finished_at)
     SELECT c.id, r.account_id, r.workflow_id, coalesce(t.id, r.trigger_id), coalesce(t.type, r.trigger_type),
       coalesce(c.status, r.status), CASE c.status WHEN 'skipped' THEN 'trigger_paused' END,
       r.attempt, r.input, CASE WHEN c.status IS NULL THEN r.error END, r.actions_id, c.at,
       CASE WHEN c.status = 'skipped' THEN NULL ELSE c.at + (r.started_at - r.created_at) END, c.at + (r.finished_at - r.created_at)
     FROM ${copied} JOIN runs r ON r.id = c.model
     LEFT JOIN LATERAL (SELECT id, type FROM triggers WHERE workflow_id = r.workflow_id AND type <> 'manual' LIMIT 1) t ON true`,
    columns,
  );
  await db.query(
    `INSERT INTO steps (run_id, index, account_id, name, kind, status, attempt, output, error, started_at, finished_at)
     SELECT c.id, s.index, s.account_id, s.name, s.kind, s.status, s.attempt, s.output, s.error,
       c.at + (s.started_at - r.created_at), c.at + (s.finished_at - r.created_at)
     FROM ${copied} JOIN runs r ON r.id = c.model JOIN steps s ON s.run_id = r.id WHERE c.status IS DISTINCT FROM 'skipped'`,
    columns,
  );
}

/** Reproducible pseudo-random numbers from 0 to 1 (mulberry32). */
function sequence(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
