import { definitionOf } from '../../actions/action-kind.js';
import { type Transaction } from '../../../platform/db/database.js';
import { type ClaimedRun, type StepState } from './claimed-run.js';

/** A step to save, with its run. */
export interface StepRow {
  run: ClaimedRun;
  step: StepState;
}

/** Inserts or updates the steps of many runs with one statement. Running steps without calls are not written. */
export async function saveSteps(tx: Transaction, all: readonly StepRow[]): Promise<void> {
  const rows = all.filter(({ step }) => step.status !== 'running' || !definitionOf(step.kind).isAtOnce);
  if (rows.length === 0) return;
  const column = <T>(of: (row: StepRow) => T): T[] => rows.map(of);
  await tx.query(
    `INSERT INTO steps (run_id, index, account_id, name, kind, status, attempt, output, error, started_at, finished_at)
     SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::int[],
                          $8::json[], $9::json[], $10::timestamptz[], $11::timestamptz[])
     ON CONFLICT (run_id, index) DO UPDATE SET status = excluded.status, attempt = excluded.attempt,
       output = excluded.output, error = excluded.error, finished_at = excluded.finished_at`,
    [
      column(({ run }) => run.uuid),
      column(({ step }) => step.index),
      column(({ run }) => run.accountId),
      column(({ step }) => step.name),
      column(({ step }) => step.kind),
      column(({ step }) => step.status),
      column(({ step }) => step.attempt),
      column(({ step }) => (step.output === null ? null : step.output.text)),
      column(({ step }) => (step.error === null ? null : JSON.stringify(step.error))),
      column(({ step }) => step.startedAt),
      column(({ step }) => step.finishedAt),
    ],
  );
}
