import { definitionOf } from '../../actions/action-kind.js';
import { type StoredBytes } from '../../../platform/admission/daily/stored-bytes.js';
import { type Transaction } from '../../../platform/db/database.js';
import { RowArrays } from '../../../platform/db/row-arrays.js';
import { STEP_BYTES } from '../queue/run-bytes.js';
import { type ClaimedRun, type StepState } from './claimed-run.js';

/** A step to save, with its run. */
export interface StepRow {
  run: ClaimedRun;
  step: StepState;
}

const STEPS = new RowArrays<StepRow>(1, {
  run_id: ['uuid', ({ run }) => run.uuid],
  index: ['int', ({ step }) => step.index],
  account_id: ['uuid', ({ run }) => run.accountId],
  name: ['text', ({ step }) => step.name],
  kind: ['text', ({ step }) => step.kind],
  status: ['text', ({ step }) => step.status],
  attempt: ['int', ({ step }) => step.attempt],
  output: ['json', ({ step }) => (step.output === null ? null : step.output.text)],
  error: ['json', ({ step }) => (step.error === null ? null : JSON.stringify(step.error))],
  blocked_since: ['timestamptz', ({ step }) => step.blockedSince],
  started_at: ['timestamptz', ({ step }) => step.startedAt],
  finished_at: ['timestamptz', ({ step }) => step.finishedAt],
});

/**
 * Inserts or updates the steps of many runs with one statement, and counts those that have ended. Running steps without
 * calls are not written.
 */
export async function saveSteps(
  tx: Transaction,
  all: readonly StepRow[],
  stored: Pick<StoredBytes, 'add'>,
): Promise<void> {
  const rows = all.filter(({ step }) => step.status !== 'running' || !definitionOf(step.kind).isAtOnce);
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO steps (${STEPS.names}) SELECT * FROM unnest(${STEPS.arrays})
     ON CONFLICT (run_id, index) DO UPDATE SET status = excluded.status, attempt = excluded.attempt,
       output = excluded.output, error = excluded.error, blocked_since = excluded.blocked_since, finished_at = excluded.finished_at`,
    STEPS.valuesOf(rows),
  );
  const ended = rows.filter(({ step }) => step.finishedAt !== null);
  tx.afterCommit(() => {
    for (const { run, step } of ended) stored.add(run.accountId, STEP_BYTES + (step.output?.bytes ?? 0));
  });
}
