import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { AppError } from '../../../platform/errors.js';
import { type WorkflowStatus } from '../../workflows/workflow-status.js';
import { recordFirings } from '../queue/firings.js';
import { validateRunInput } from './run-input.js';
import { type RunQueue } from '../queue/run-queue.js';
import { type Run } from '../run.entity.js';
import { selectRun } from '../run.service.js';

/** Starts runs of workflows on request. */
export class ManualRuns {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly queue: RunQueue,
  ) {}

  /**
   * Fires the workflow's newest active manual trigger. A run that may not start now is refused, not stored as skipped.
   * @throws AppError `validation_error`, `not_found`, `unauthorized`; `conflict` with the reason.
   */
  async start({ accountId, hops }: RequestContext, workflowId: string, input: unknown): Promise<Run> {
    const text = validateRunInput(input);
    const run = await this.db.transaction(async (tx) => {
      const triggerUuid = await manualTrigger(tx, accountId, workflowId);
      const firing = { triggerUuid, input: text, key: null, hops };
      const [outcome] = await recordFirings(tx, this.queue, this.clock.now(), [firing]);
      if (outcome === undefined) throw noTrigger();
      const { reason, runUuid } = outcome;
      if (reason !== null && reason !== 'duplicate') {
        throw new AppError('conflict', `The workflow may not run now: ${reason}.`);
      }
      return (await selectRun(tx, accountId, runUuid))!;
    });
    this.db.afterCommit(() => this.queue.announce());
    return run;
  }
}

async function manualTrigger(tx: Transaction, accountId: string, id: string): Promise<string> {
  const found = await findOwned<{ status: WorkflowStatus; trigger: string | null }>(
    tx,
    { table: 'workflows', accountId, id },
    `status, (SELECT t.id FROM triggers t WHERE t.workflow_id = workflows.id AND t.type = 'manual' AND t.status = 'active'
              ORDER BY t.id DESC LIMIT 1) AS trigger`,
  );
  if (found.status !== 'active') {
    throw new AppError('conflict', `The workflow is not active: it is ${found.status}.`);
  }
  if (found.trigger === null) throw noTrigger();
  return found.trigger;
}

function noTrigger(): AppError {
  return new AppError('conflict', 'The workflow has no active trigger of type manual.');
}
