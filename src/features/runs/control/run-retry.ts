import { isDeepStrictEqual } from 'node:util';
import { type Action } from '../../actions/action.entity.js';
import { type ActionService } from '../../actions/action.service.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { AppError } from '../../../platform/errors.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { type WorkflowStatus } from '../../workflows/workflow-status.js';
import { MAX_HOPS } from '../queue/firings.js';
import { isFinished, type RunStatus } from '../run-status.js';
import { currentTrace } from '../../../platform/tracing/span.js';
import { RUN_BYTES, STEP_BYTES } from '../queue/run-bytes.js';
import { type RunOrder, type RunQueue } from '../queue/run-queue.js';
import { claimKey } from './claim-key.js';
import { type Run } from '../run.entity.js';
import { type RetryFrom } from './retry-from.js';
import { shareInput } from './run-input.js';
import { shareOutputs } from './run-outputs.js';
import { selectRun } from '../run.service.js';

type Ended = {
  uuid: string;
  workflowUuid: string;
  triggerUuid: string;
  firingKey: string | null;
  status: RunStatus;
  actionsId: string | null;
  isTest: boolean;
};

/** Retries ended runs as new runs. */
export class RunRetry {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly queue: RunQueue,
    private readonly actions: Pick<ActionService, 'ofRuns'>,
  ) {}

  /** Retries a run in a transaction of its own. @throws AppError as `retryIn` does. */
  async retry(context: RequestContext, id: string, from: RetryFrom): Promise<Run> {
    const run = await this.db.transaction(async (tx) => {
      const retried = await this.retryIn(tx, context, id, from);
      return (await selectRun(tx, context.accountId, retried))!;
    });
    this.db.afterCommit(() => this.queue.announce());
    return run;
  }

  /**
   * Queues a new run with the old run's input and the workflow's current actions; announce the queue after the commit.
   * `FAILED_STEP` copies the leading succeeded steps of a failed or canceled run whose actions are unchanged; these are
   * not executed again. @returns the uuid of the new run. An error leaves the transaction usable.
   * @throws AppError `not_found`, `unauthorized`; `conflict` when the run has not ended, its workflow is deleted or not
   * active, the actions of steps to copy can't be decrypted, or the key of a skipped run has fired.
   */
  async retryIn(
    tx: Transaction,
    { accountId, hops }: Pick<RequestContext, 'accountId' | 'hops'>,
    id: string,
    from: RetryFrom,
    order: RunOrder = 'fresh',
  ): Promise<string> {
    if (hops >= MAX_HOPS) throw new AppError('conflict', 'The run may not be retried now: loop.');
    const old = await findOwned<Ended>(
      tx,
      { table: 'runs', accountId, id },
      `id AS uuid, workflow_id AS "workflowUuid", trigger_id AS "triggerUuid", firing_key AS "firingKey", status,
       actions_id AS "actionsId", is_test AS "isTest"`,
    );
    if (!isFinished(old.status)) throw new AppError('conflict', `The run has not ended: it is ${old.status}.`);
    const actionsId = await lockWorkflow(tx, old);
    const now = this.clock.now();
    const retried = newUuid(now);
    const { triggerUuid, firingKey: key } = old;
    const steps = from === 'start' ? 0 : await this.stepsToKeep(tx, old, actionsId);
    if (key !== null) await claimKey(tx, now, { triggerUuid, key, runUuid: retried });
    await shareInput(tx, now, old.uuid);
    await shareOutputs(tx, now, old.uuid, steps);
    const bytes = await store(tx, { old, retried, actionsId, steps, hops });
    tx.afterCommit(() => this.queue.stored.add(accountId, bytes));
    await this.queue.add(tx, [{ uuid: retried, accountId }], order);
    return retried;
  }

  /** The number of leading steps that succeeded and whose action is unchanged. */
  private async stepsToKeep(tx: Transaction, old: Ended, actionsId: string | null): Promise<number> {
    if (old.status !== 'failed' && old.status !== 'canceled') return 0;
    const steps = await tx.query<{ index: number; status: string }>(
      `SELECT index, status FROM steps WHERE run_id = $1 ORDER BY index`,
      [old.uuid],
    );
    const done = leading(steps, ({ index, status }, place) => index === place && status === 'succeeded');
    if (done === 0 || old.actionsId === actionsId) return done;
    const lists = await this.actions.ofRuns(tx, [{ actionsId }, old]);
    const actionsOf = (list: string | null): readonly Action[] => {
      if (list === null) return [];
      return lists.get(list) ?? unreadable();
    };
    const present = actionsOf(actionsId);
    const same = leading(actionsOf(old.actionsId), (action, place) => isSame(action, present[place]));
    return Math.min(done, same);
  }
}

/** Succeeded steps must not be repeated silently. */
function unreadable(): never {
  const message =
    'The actions of the run can’t be read, so that its steps can’t be carried over. Retry it from the start.';
  throw new AppError('conflict', message);
}

function isSame(action: Action, other: Action | undefined): boolean {
  if (action.name !== other?.name || action.kind !== other.kind) return false;
  return isDeepStrictEqual(action.config, other.config);
}

/** The number of items before the first one for which `holds` is false. */
function leading<T>(items: readonly T[], holds: (item: T, place: number) => boolean): number {
  const end = items.findIndex((item, place) => !holds(item, place));
  return end === -1 ? items.length : end;
}

/**
 * Locks the workflow until the commit, so that the run is counted and no deletion misses it. @returns its current
 * actions.
 */
async function lockWorkflow(tx: Transaction, { workflowUuid, isTest }: Ended): Promise<string | null> {
  const [workflow] = await tx.query<{ status: WorkflowStatus; actionsId: string | null }>(
    `SELECT status, actions_id AS "actionsId" FROM workflows WHERE id = $1 FOR NO KEY UPDATE`,
    [workflowUuid],
  );
  if (workflow === undefined) throw new AppError('conflict', 'The workflow of the run is deleted.');
  if (workflow.status !== 'active' && !(isTest && workflow.status !== 'archived')) {
    throw new AppError('conflict', `The workflow is not active: it is ${workflow.status}.`);
  }
  return workflow.actionsId;
}

interface Retried {
  old: Ended;
  retried: string;
  actionsId: string | null;
  /** The number of leading steps to copy. */
  steps: number;
  hops: number;
}

/** @returns the bytes of what is copied. */
async function store(tx: Transaction, { old, retried, actionsId, steps, hops }: Retried): Promise<number> {
  const [copied] = await tx.query<{ bytes: number }>(
    `WITH counted AS (UPDATE workflows SET run_count = run_count + 1 WHERE id = $2 AND NOT $8::boolean),
     kept AS (
       INSERT INTO steps (run_id, index, account_id, name, kind, status, attempt, output, payload_id, error, started_at,
                          finished_at, first_run_id)
       SELECT $3, index, account_id, name, kind, status, attempt, output, payload_id, error, started_at, finished_at,
              coalesce(first_run_id, run_id)
       FROM steps WHERE run_id = $1 AND index < $6
       RETURNING ${STEP_BYTES} + ${lengthOf('output')} AS bytes)
     INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, input, payload_id, input_bytes,
                       trigger_headers, trigger_query, actions_id, hops, attempt, retry_of, scheduled_for, created_at, is_test, traceparent)
     SELECT $3, account_id, workflow_id, trigger_id, trigger_type, 'queued', input, payload_id, input_bytes,
            trigger_headers, trigger_query, $4, greatest(hops, $7), attempt + 1, id, scheduled_for, $5, is_test, $9
     FROM runs WHERE id = $1
     RETURNING (${RUN_BYTES} + ${lengthOf('input')} + ${lengthOf('trigger_headers')} + ${lengthOf('trigger_query')}
       + coalesce((SELECT sum(bytes) FROM kept), 0))::integer AS bytes`,
    [old.uuid, old.workflowUuid, retried, actionsId, timeOf(retried), steps, hops, old.isTest, currentTrace() ?? null],
  );
  return copied!.bytes;
}

/** SQL for the bytes of a JSON column; a large text is in a payload, which the copy refers to. */
function lengthOf(column: string): string {
  return `coalesce(octet_length(${column}::text), 0)`;
}
