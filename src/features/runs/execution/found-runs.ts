import { type Transaction } from '../../../platform/db/database.js';
import { type HeldJob } from '../../../platform/jobs/job-queue.js';
import { INLINE_BYTES, MAX_PAYLOAD_BYTES } from '../../../platform/payloads.js';
import { EXECUTED_STATES, type RunStatus } from '../run-status.js';
import { CANCELED, type ClaimedRun, type RunText, type StepState } from './claimed-run.js';
import { type RunRow } from './run-rows.js';
import { MAX_REQUEST_TEXT_BYTES } from '../trigger-request.js';
import { MAX_OUTPUT_BYTES } from './step-output.js';

/** A run that may be executed now, read from its locked row. */
export type FoundRun = Omit<
  ClaimedRun,
  'job' | 'actions' | 'steps' | 'startedAt' | 'claim' | 'behindMs' | 'isFresh'
> & {
  status: RunStatus;
  startedAt: Date | null;
  cancelRequested: boolean;
  workflowGone: boolean;
  actionsId: string | null;
  mayHaveSteps: boolean;
};

/** Reads small texts only: a claim may hold a hundred runs, and rows of earlier versions may hold large inputs. */
const smallText = (column: string): string =>
  `CASE WHEN pg_column_size(${column}) <= ${INLINE_BYTES + 4} THEN ${column}::text END`;

const TEXTS = `r.input IS NULL AND r.payload_id IS NULL AS "isEmpty", r.input_bytes AS "inputBytes", r.payload_id AS "payloadUuid",
       ${smallText('r.input')} AS "inputText", r.trigger_headers IS NULL AS "isPlain",
       ${smallText('r.trigger_headers')} AS "headersText", ${smallText('r.trigger_query')} AS "queryText"`;

const IS_DUE = `(r.status IN (${EXECUTED_STATES}) AND r.resume_at IS NULL)`;

interface TextColumns {
  isEmpty: boolean;
  /** Null for runs of earlier versions. */
  inputBytes: number | null;
  payloadUuid: string | null;
  inputText: string | null;
  /** Not fired by a request: without headers and query. */
  isPlain: boolean;
  headersText: string | null;
  queryText: string | null;
}

/** The runs behind the jobs of a claim. */
export interface LockedRuns {
  /** The time of the database; undefined if no row was locked. */
  now: Date | undefined;
  /** Runs that may be executed now, in id order. */
  due: FoundRun[];
  /** Jobs whose rows another session has locked; their state is unknown. Empty if `lockRuns` waited for the locks. */
  busy: HeldJob[];
}

/**
 * Locks the runs of jobs in id order. With `waits` it waits for rows that another session has locked, otherwise it
 * skips them. Ended and waiting runs are not returned but are locked too: otherwise the job that resumes a waiting run
 * could find the old job, queue no new one, and this transaction would then settle the old job.
 */
export async function lockRuns(tx: Transaction, jobs: readonly HeldJob[], waits: boolean): Promise<LockedRuns> {
  const uuids = jobs.map(({ id }) => id).sort();
  const rows = await tx.query<Omit<FoundRun, keyof RunTexts> & TextColumns & { now: Date; isDue: boolean }>(
    `SELECT clock_now() AS now, r.id AS uuid, r.account_id AS "accountId", r.workflow_id AS "workflowUuid",
       r.trigger_id AS "triggerUuid", r.trigger_type AS "triggerType", r.hops, r.is_test AS "isTest", r.version,
       r.started_at AS "startedAt", r.waited_ms AS "waitedMs",
       r.wait_changed_at AS "waitChangedAt", r.traceparent, r.actions_id AS "actionsId", r.status, r.cancel_requested AS "cancelRequested",
       r.workers_lost + (r.claim IS NOT NULL)::int AS "workersLost",
       (r.status = 'running' OR r.retry_of IS NOT NULL) AS "mayHaveSteps",
       NOT EXISTS (SELECT 1 FROM workflows w WHERE w.id = r.workflow_id) AS "workflowGone",
       ${IS_DUE} AS "isDue", ${TEXTS}
     FROM runs r
     -- The bounds let PostgreSQL leave out the partitions of other weeks.
     WHERE r.id = ANY($1) AND r.id >= $2 AND r.id <= $3 ORDER BY r.id FOR NO KEY UPDATE ${waits ? '' : 'SKIP LOCKED'}`,
    [uuids, uuids[0], uuids.at(-1)],
  );
  const seen = new Set(rows.map(({ uuid }) => uuid));
  const due = rows
    .filter(({ isDue }) => isDue)
    .map(({ isEmpty, inputBytes, payloadUuid, inputText, isPlain, headersText, queryText, ...run }) => ({
      ...run,
      ...textsOf({ isEmpty, inputBytes, payloadUuid, inputText, isPlain, headersText, queryText }),
    }));
  return { now: rows[0]?.now, due, busy: waits ? [] : jobs.filter(({ id }) => !seen.has(id)) };
}

type RunTexts = Pick<ClaimedRun, 'input' | 'triggerHeaders' | 'triggerQuery'>;

function textsOf(columns: TextColumns): RunTexts {
  const { isPlain, payloadUuid } = columns;
  const input = textOf(columns.isEmpty ? 'null' : columns.inputText, MAX_PAYLOAD_BYTES);
  return {
    input: { ...input, bytes: columns.inputBytes ?? input.bytes, payloadUuid },
    triggerHeaders: textOf(isPlain ? 'null' : columns.headersText, MAX_REQUEST_TEXT_BYTES),
    triggerQuery: textOf(isPlain ? 'null' : columns.queryText, MAX_REQUEST_TEXT_BYTES),
  };
}

function textOf(text: string | null, maxBytes: number): RunText {
  return text === null ? { text: undefined, bytes: maxBytes } : { text, bytes: Buffer.byteLength(text) };
}

/**
 * The saved steps by run uuid, in action order, without their outputs: a step that needs one reads it later. A separate
 * statement from the one that locks the runs, whose snapshot would miss the steps that a worker presumed dead saved
 * during the wait for the lock.
 */
export async function stepsOf(tx: Transaction, runs: readonly FoundRun[]): Promise<ReadonlyMap<string, StepState[]>> {
  const uuids = runs.filter(({ mayHaveSteps }) => mayHaveSteps).map(({ uuid }) => uuid);
  if (uuids.length === 0) return new Map();
  uuids.sort();
  const steps = await tx.query<Omit<StepState, 'output'> & { run: string }>(
    `SELECT s.run_id AS run, s.index, s.name, s.kind, s.status, s.attempt, s.error,
       s.blocked_since AS "blockedSince", s.started_at AS "startedAt", s.finished_at AS "finishedAt",
       s.first_run_id AS "firstRunUuid"
     FROM steps s WHERE s.run_id = ANY($1) AND s.run_id >= $2 AND s.run_id <= $3 ORDER BY s.run_id, s.index`,
    [uuids, uuids[0], uuids.at(-1)],
  );
  const left = steps.map((step) => ({ ...step, output: { text: undefined, bytes: MAX_OUTPUT_BYTES } }));
  return Map.groupBy(left, ({ run }) => run);
}

/** Fails the running steps of runs that ended without their worker. */
export async function endSteps(tx: Transaction, now: Date, ends: readonly RunRow[]): Promise<void> {
  const begun = ends.filter(({ from }) => from === 'running');
  if (begun.length === 0) return;
  await tx.query(
    `UPDATE steps s SET status = 'failed', finished_at = $1, error = n.error
     FROM unnest($2::uuid[], $3::json[]) n (run_id, error) WHERE s.run_id = n.run_id AND s.status = 'running'`,
    [now, begun.map(({ run }) => run.uuid), begun.map(({ error }) => JSON.stringify(error ?? CANCELED))],
  );
}
