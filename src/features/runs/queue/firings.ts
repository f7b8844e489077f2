import { type SkipReason } from '../run-reasons.js';
import { type Transaction } from '../../../platform/db/database.js';
import { RowArrays } from '../../../platform/db/row-arrays.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { partition } from '../../../platform/partition.js';
import { NewPayloads, type StoredText } from '../../../platform/payloads.js';
import { type TriggerStatus, type TriggerType } from '../../workflows/trigger-type.js';
import { type WorkflowStatus } from '../../workflows/workflow-status.js';
import { requestBytes, type RequestTexts } from '../trigger-request.js';
import { currentTrace } from '../../../platform/tracing/span.js';
import { RUN_BYTES } from './run-bytes.js';
import { type RunQueue } from './run-queue.js';

/** One firing of a trigger, before the trigger's state is read. */
export interface Firing {
  triggerUuid: string;
  /** A JSON text, or a reference to the stored one. */
  input: string | StoredText;
  /** The request of a post to an inbound hook. */
  request?: RequestTexts;
  /** Deduplicates for 30 days; null fires each time. */
  key: string | null;
  /** How many runs in a row led to it. */
  hops: number;
  /** The tick of a schedule. */
  scheduledFor?: Date;
  /** The trace of the post; absent: that of the current span. */
  trace?: string | null;
  /** Ticks that no process was running for: skipped, whatever the trigger's state. */
  missed?: true;
  /** The event's integration is not connected. The trigger may be active all the same, through another integration. */
  sourceLost?: true;
  /** The event was dropped, because the account had too many: skipped, whatever the trigger's state. */
  dropped?: true;
}

/** The run of a firing, or of the first firing for a `duplicate`. With a null reason the run is queued. */
export interface FiringOutcome {
  runUuid: string;
  reason: 'duplicate' | SkipReason | null;
}

type TriggerState = {
  uuid: string;
  accountId: string;
  type: TriggerType;
  status: TriggerStatus;
  workflowUuid: string;
  workflowStatus: WorkflowStatus;
  actionsId: string | null;
};

/** A run to store. */
interface NewRun extends FiringOutcome {
  firing: Firing;
  state: TriggerState;
  input: StoredText;
}

/** The maximum length of a chain of runs that fire each other. The next firing is skipped with reason `loop`. */
export const MAX_HOPS = 5;
/** How long the key of a firing deduplicates, in milliseconds. */
export const REMEMBERED_MS = 30 * 86_400_000;

/** Firings at or before this time no longer deduplicate. */
export function firingsEnd(now: Date): Date {
  return new Date(now.getTime() - REMEMBERED_MS);
}

/**
 * Stores the runs of many firings, queued or skipped, counts the queued ones and adds them to the queue. Reads the
 * state of triggers and workflows, and locks the workflows in id order until the commit. An input that several firings
 * share is stored once, also across calls with the same `payloads`. @returns one outcome per firing, in order;
 * undefined if the trigger is deleted.
 */
export async function recordFirings(
  tx: Transaction,
  queue: RunQueue,
  now: Date,
  firings: readonly Firing[],
  payloads = new NewPayloads(now, queue.stored, queue.inputs),
): Promise<(FiringOutcome | undefined)[]> {
  const states = await lockStates(tx, firings);
  const fired = await firedBefore(tx, now, firings);
  const runs: NewRun[] = [];
  const outcomes = firings.map((firing) => {
    const state = states.get(firing.triggerUuid);
    if (state === undefined) return undefined;
    const first = fired.get(nameOf(firing));
    if (firing.key !== null && first !== undefined) return { runUuid: first, reason: 'duplicate' as const };
    const input = payloads.keep(state.accountId, firing.input);
    payloads.count(state.accountId, RUN_BYTES + requestBytes(firing.request));
    const run: NewRun = { runUuid: newUuid(now), reason: skipReason(state, firing), firing, state, input };
    // A skipped firing does not use up its key; a retry of its run claims it.
    if (run.reason === null && firing.key !== null) fired.set(nameOf(firing), run.runUuid);
    runs.push(run);
    return run;
  });
  await payloads.store(tx);
  if (runs.length > 0) await store(tx, now, runs);
  const [due, skipped] = partition(runs, ({ reason }) => reason === null);
  await queue.add(
    tx,
    due.map(({ runUuid, state }) => ({ uuid: runUuid, accountId: state.accountId })),
  );
  queue.publishSkipped(
    tx,
    skipped.map(({ runUuid, state }) => ({ run: runUuid, account: state.accountId, workflow: state.workflowUuid })),
  );
  return outcomes.map((outcome) => outcome && { runUuid: outcome.runUuid, reason: outcome.reason });
}

async function lockStates(tx: Transaction, firings: readonly Firing[]): Promise<Map<string, TriggerState>> {
  const rows = await tx.query<TriggerState>(
    `SELECT t.id AS uuid, t.account_id AS "accountId", t.type, t.status, w.id AS "workflowUuid",
            w.status AS "workflowStatus", w.actions_id AS "actionsId"
     FROM triggers t JOIN workflows w ON w.id = t.workflow_id
     WHERE t.id = ANY($1) ORDER BY w.id FOR NO KEY UPDATE OF w`,
    [[...new Set(firings.map(({ triggerUuid }) => triggerUuid))]],
  );
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** The runs of keys that have fired. Complete, because every firing locks the trigger's workflow. */
async function firedBefore(tx: Transaction, now: Date, firings: readonly Firing[]): Promise<Map<string, string>> {
  const keyed = firings.filter(({ key }) => key !== null);
  if (keyed.length === 0) return new Map();
  const rows = await tx.query<{ triggerUuid: string; key: string; runUuid: string }>(
    `SELECT f.trigger_id AS "triggerUuid", f.key, f.run_id AS "runUuid"
     FROM unnest($1::uuid[], $2::text[]) k (trigger_id, key) JOIN firings f USING (trigger_id, key)
     WHERE f.created_at > $3`,
    [keyed.map(({ triggerUuid }) => triggerUuid), keyed.map(({ key }) => key), firingsEnd(now)],
  );
  return new Map(rows.map((row) => [nameOf(row), row.runUuid]));
}

function nameOf({ triggerUuid, key }: { triggerUuid: string; key: string | null }): string {
  return `${triggerUuid} ${key}`;
}

function skipReason(state: TriggerState, { hops, missed, sourceLost, dropped }: Firing): SkipReason | null {
  if (missed) return 'missed';
  if (dropped) return 'too_many_events';
  if (state.workflowStatus !== 'active') return 'workflow_not_active';
  if (state.status !== 'active') return `trigger_${state.status}`;
  if (sourceLost) return 'integration_not_connected';
  return hops >= MAX_HOPS ? 'loop' : null;
}

const FIRINGS = new RowArrays<NewRun>(2, {
  trigger_id: ['uuid', ({ firing }) => firing.triggerUuid],
  key: ['text', ({ firing }) => firing.key],
  run_id: ['uuid', ({ runUuid }) => runUuid],
});
const RUNS = new RowArrays<NewRun>(7, {
  id: ['uuid', ({ runUuid }) => runUuid],
  account_id: ['uuid', ({ state }) => state.accountId],
  workflow_id: ['uuid', ({ state }) => state.workflowUuid],
  trigger_id: ['uuid', ({ state }) => state.uuid],
  trigger_type: ['text', ({ state }) => state.type],
  reason: ['text', ({ reason }) => reason],
  input: ['text', ({ input }) => input.inline],
  payload_id: ['uuid', ({ input }) => input.payloadUuid],
  input_bytes: ['int', ({ input }) => input.bytes],
  trigger_headers: ['text', ({ firing }) => firing.request?.headers ?? null],
  trigger_query: ['text', ({ firing }) => firing.request?.query ?? null],
  actions_id: ['uuid', ({ state }) => state.actionsId],
  hops: ['int', ({ firing }) => firing.hops],
  scheduled_for: ['timestamptz', ({ firing }) => firing.scheduledFor ?? null],
  firing_key: ['text', ({ firing, reason }) => (reason === null ? null : firing.key)],
  created_at: ['timestamptz', ({ runUuid }) => timeOf(runUuid)],
  traceparent: ['text', ({ firing: { trace = currentTrace() } }) => trace ?? null],
});

async function store(tx: Transaction, now: Date, runs: readonly NewRun[]): Promise<void> {
  const queued = runs.filter(({ reason }) => reason === null);
  const keyed = queued.filter(({ firing }) => firing.key !== null);
  const counts = Map.groupBy(queued, ({ state }) => state.workflowUuid);
  await tx.query(
    `WITH fired AS (
       INSERT INTO firings AS f (trigger_id, key, run_id, created_at)
       SELECT trigger_id, key, run_id, $1 FROM unnest(${FIRINGS.arrays}) k (${FIRINGS.names})
       ON CONFLICT (trigger_id, key) DO UPDATE SET run_id = excluded.run_id, created_at = excluded.created_at),
     counted AS (
       UPDATE workflows w SET run_count = run_count + c.runs
       FROM unnest($5::uuid[], $6::int[]) c (id, runs) WHERE w.id = c.id)
     INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, status_reason, input, payload_id,
                       input_bytes, trigger_headers, trigger_query, actions_id, hops, scheduled_for, firing_key,
                       created_at, finished_at, traceparent)
     SELECT r.id, r.account_id, r.workflow_id, r.trigger_id, r.trigger_type,
            CASE WHEN r.reason IS NULL THEN 'queued' ELSE 'skipped' END, r.reason, r.input::json, r.payload_id,
            r.input_bytes, r.trigger_headers::json, r.trigger_query::json, r.actions_id, r.hops, r.scheduled_for,
            r.firing_key, r.created_at, CASE WHEN r.reason IS NULL THEN NULL ELSE r.created_at END,
            r.traceparent
     FROM unnest(${RUNS.arrays}) r (${RUNS.names})`,
    [
      now,
      ...FIRINGS.valuesOf(keyed),
      [...counts.keys()],
      [...counts.values()].map(({ length }) => length),
      ...RUNS.valuesOf(runs),
    ],
  );
}
