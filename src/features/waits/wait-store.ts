import { type Transaction } from '../../platform/db/database.js';
import { RowArrays } from '../../platform/db/row-arrays.js';
import { WAIT_COLUMNS } from './wait-columns.js';
import { Wait } from './wait.entity.js';

/** A step of a run, which has one wait at most. */
export interface StepPlace {
  runUuid: string;
  index: number;
}

/** The key of a step in a map. */
export function keyOf({ runUuid, index }: StepPlace): string {
  return `${runUuid} ${index}`;
}

/** Locks the waits of steps whose runs the transaction has locked. Steps without one are missing. */
export async function lockWaitsOf(tx: Transaction, places: readonly StepPlace[]): Promise<Map<string, Wait>> {
  const waits = await tx.select(
    Wait,
    `SELECT ${WAIT_COLUMNS.whole} FROM waits w
     WHERE (w.run_id, w.step_index) IN (SELECT * FROM unnest($1::uuid[], $2::int[])) ORDER BY w.id FOR NO KEY UPDATE`,
    [places.map(({ runUuid }) => runUuid), places.map(({ index }) => index)],
  );
  return new Map(waits.map((wait) => [keyOf({ runUuid: wait.runUuid, index: wait.stepIndex }), wait]));
}

const ROWS = new RowArrays<Wait>(1, {
  id: ['uuid', ({ uuid }) => uuid],
  account_id: ['uuid', ({ accountId }) => accountId],
  workflow_id: ['uuid', ({ workflowUuid }) => workflowUuid],
  run_id: ['uuid', ({ runUuid }) => runUuid],
  step_index: ['int', ({ stepIndex }) => stepIndex],
  step: ['text', ({ step }) => step],
  kind: ['text', ({ kind }) => kind],
  status: ['text', ({ status }) => status],
  title: ['text', ({ title }) => title],
  text: ['text', ({ text }) => text],
  approvers: ['json', ({ approvers }) => approvers && JSON.stringify(approvers)],
  on_denied: ['text', ({ onDenied }) => onDenied],
  on_timeout: ['text', ({ onTimeout }) => onTimeout],
  integration_type: ['text', ({ integrationType }) => integrationType],
  reference: ['text', ({ reference }) => reference],
  repeats: ['bool', ({ repeats }) => repeats],
  answer: ['json', ({ answerText }) => answerText],
  answer_digest: ['bytea', ({ answerDigest }) => answerDigest],
  answered_by: ['text', ({ answeredBy }) => answeredBy],
  is_test: ['bool', ({ isTest }) => isTest],
  hops: ['int', ({ hops }) => hops],
  created_at: ['timestamptz', ({ createdAt }) => createdAt],
  expires_at: ['timestamptz', ({ expiresAt }) => expiresAt],
  answered_at: ['timestamptz', ({ answeredAt }) => answeredAt],
});

/** Inserts waits, or overwrites what an arrival or an answer changes, with one statement. */
export async function saveWaits(tx: Transaction, waits: readonly Wait[]): Promise<void> {
  if (waits.length === 0) return;
  await tx.query(
    `INSERT INTO waits (${ROWS.names}) SELECT * FROM unnest(${ROWS.arrays})
     ON CONFLICT (run_id, step_index) DO UPDATE SET status = excluded.status, title = excluded.title,
       text = excluded.text, approvers = excluded.approvers, on_denied = excluded.on_denied,
       on_timeout = excluded.on_timeout, answer = excluded.answer, answer_digest = excluded.answer_digest,
       answered_by = excluded.answered_by, created_at = excluded.created_at, expires_at = excluded.expires_at,
       answered_at = excluded.answered_at`,
    ROWS.valuesOf(waits),
  );
}
