import { currentTrace } from '../../../platform/tracing/span.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { AppError } from '../../../platform/errors.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { NewPayloads } from '../../../platform/payloads.js';
import { type WorkflowStatus } from '../../workflows/workflow-status.js';
import { MAX_HOPS } from '../queue/firings.js';
import { type GivenRequest, requestBytes, validateGivenRequest } from '../trigger-request.js';
import { validateRunInput } from './run-input.js';
import { RUN_BYTES } from '../queue/run-bytes.js';
import { type RunQueue } from '../queue/run-queue.js';
import { type Run } from '../run.entity.js';
import { selectRun } from '../run.service.js';

/** The values that a client gives a test run in place of a trigger. */
export interface GivenTest extends GivenRequest {
  input?: unknown;
}

/** Starts test runs: real runs without a trigger, marked `is_test`. */
export class TestRuns {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly queue: RunQueue,
  ) {}

  /**
   * Queues a test run of the workflow's current actions. The workflow may have any status but archived.
   * @throws AppError `validation_error`, `not_found`, `unauthorized`; `conflict` with the reason.
   */
  async start({ accountId, hops }: RequestContext, workflowId: string, given: GivenTest): Promise<Run> {
    const input = validateRunInput(given.input);
    const request = validateGivenRequest(given);
    if (hops >= MAX_HOPS) throw new AppError('conflict', 'The workflow may not be tested now: loop.');
    const run = await this.db.transaction(async (tx) => {
      const { workflow, actionsId } = await lockWorkflow(tx, accountId, workflowId);
      const now = this.clock.now();
      const uuid = newUuid(now);
      const payloads = new NewPayloads(now, this.queue.stored, this.queue.inputs);
      const { inline, payloadUuid, bytes } = payloads.keep(accountId, input);
      payloads.count(accountId, RUN_BYTES + requestBytes(request));
      await payloads.store(tx);
      await tx.query(
        `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, is_test, input, payload_id, input_bytes,
                           trigger_headers, trigger_query, actions_id, hops, created_at, traceparent)
         VALUES ($1, $2, $3, 'manual', 'queued', true, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          ...[uuid, accountId, workflow, inline, payloadUuid, bytes],
          ...[request?.headers ?? null, request?.query ?? null, actionsId, hops, timeOf(uuid), currentTrace() ?? null],
        ],
      );
      await this.queue.add(tx, [{ uuid, accountId }]);
      return (await selectRun(tx, accountId, uuid))!;
    });
    this.db.afterCommit(() => this.queue.announce());
    return run;
  }
}

/** Locks the workflow until the commit, so that no deletion misses the run. @returns it with its current actions. */
async function lockWorkflow(tx: Transaction, accountId: string, id: string) {
  const locked = await findOwned<{ workflow: string; status: WorkflowStatus; actionsId: string | null }>(
    tx,
    { table: 'workflows', accountId, id, lock: 'FOR NO KEY UPDATE' },
    `id AS workflow, status, actions_id AS "actionsId"`,
  );
  if (locked.status === 'archived') throw new AppError('conflict', 'The workflow is archived: restore it first.');
  return locked;
}
