import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';

const HOUR_MS = 3_600_000;
/** How long deleted integrations are kept, and the changes from which a listener may resume. */
export const KEPT_MS = 30 * 24 * HOUR_MS;
/** How many of an integration's latest changes are kept, however old they are. */
export const KEPT_CHANGES = 100;

/** Changes that one statement deletes, and integrations that one statement reads. */
const SIZE = 5_000;
const PAGE = 100;
const NIL = '00000000-0000-0000-0000-000000000000';

/** The version of an integration counts its changes, so integrations with nothing to delete are skipped. */
const LONG = `
  SELECT i.id, i.version - ${KEPT_CHANGES} AS "upTo" FROM integrations i
  WHERE i.version > ${KEPT_CHANGES} AND i.id > $1 ORDER BY i.id LIMIT $2`;

const DELETED = `SELECT id FROM integrations WHERE deleted_at <= $1 ORDER BY deleted_at LIMIT $2`;

const DELETE_CHANGES = `
  DELETE FROM integration_changes WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM integration_changes
    WHERE integration_id = $1 AND version <= $2 AND at <= $3 ORDER BY version LIMIT $4 FOR UPDATE SKIP LOCKED))
  RETURNING 1`;

interface Course {
  id: string;
  /** The last version that may be deleted. */
  upTo: number;
}

/** Deletes integrations 30 days after their deletion by the client, and old changes of others. */
export function integrationPruneJobs(db: Database, clock: Clock): PeriodicJob[] {
  const ago = () => new Date(clock.now().getTime() - KEPT_MS);
  return [
    {
      name: 'prune integrations',
      what: 'Deletes integrations 30 days after a client deleted them.',
      everyMs: HOUR_MS,
      run: (signal) => pruneDeleted(db, ago(), signal),
    },
    {
      name: 'prune integration changes',
      what: 'Deletes status changes older than 30 days, except the latest 100 of each integration.',
      everyMs: HOUR_MS,
      run: (signal) => pruneChanges(db, ago(), signal),
    },
  ];
}

/** Deletes the changes first, in batches: otherwise the cascade of one statement would delete all of them at once. */
async function pruneDeleted(db: Database, until: Date, signal?: AbortSignal): Promise<void> {
  await inBatches({ size: PAGE, signal }, async (limit) => {
    const gone = await db.query<{ id: string }>(DELETED, [until, limit]);
    for (const { id } of gone) await deleteChanges(db, { id, upTo: 2 ** 31 - 1 }, until, signal);
    if (signal?.aborted !== true) {
      await db.query(`DELETE FROM integrations WHERE id = ANY ($1)`, [gone.map(({ id }) => id)]);
    }
    return gone.length === limit;
  });
}

async function pruneChanges(db: Database, until: Date, signal?: AbortSignal): Promise<void> {
  let last = NIL;
  await inBatches({ size: PAGE, signal }, async (limit) => {
    const page = await db.query<Course>(LONG, [last, limit]);
    for (const course of page) await deleteChanges(db, course, until, signal);
    last = page.at(-1)?.id ?? last;
    return page.length === limit;
  });
}

function deleteChanges(db: Database, { id, upTo }: Course, until: Date, signal?: AbortSignal): Promise<void> {
  return inBatches({ size: SIZE, signal }, async (limit) => {
    return (await db.query(DELETE_CHANGES, [id, upTo, until, limit])).length === limit;
  });
}
