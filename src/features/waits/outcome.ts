import { type WaitOutcome } from '../runs/execution/run-waits.js';
import { type WaitEnd } from '../runs/control/continue-runs.js';
import { type Wait } from './wait.entity.js';

/** The decision in the answer of an approval. */
interface Decision {
  decision: 'approved' | 'denied';
  comment: string | null;
  by: string | null;
}

/** What becomes of the step of a wait that was answered or has expired. */
export function outcomeOf(wait: Wait): WaitEnd['outcome'] {
  if (wait.repeats && wait.status === 'answered') return { kind: 'again' };
  const output = wait.answerText ?? 'null';
  if (wait.kind === 'approval' && wait.answerText != null) {
    const decided = JSON.parse(wait.answerText) as Decision;
    if (decided.decision === 'denied' && wait.onDenied !== 'continue')
      return { kind: 'failed', error: { code: 'denied', message: denialInWords(decided) } };
    return { kind: 'succeeded', output };
  }
  if (wait.status === 'expired')
    return { kind: 'failed', error: { code: 'wait_expired', message: 'Nothing answered the wait in time.' } };
  return { kind: 'succeeded', output };
}

/** With the comment: a step that fails has no output from which it could be read. */
function denialInWords({ comment, by }: Decision): string {
  const what = by === null ? 'It was denied' : `${by} denied it`;
  return comment === null || comment === '' ? `${what}.` : `${what}: “${comment}”`;
}

/** The same for a run that has just reached the wait. */
export function outcomeAtArrival(wait: Wait): WaitOutcome {
  const outcome = outcomeOf(wait);
  return outcome.kind === 'succeeded' ? { ...outcome, output: JSON.parse(outcome.output) as unknown } : outcome;
}

/** The answer of an approval as a JSON text: the output of its step. */
export function decisionText(decision: 'approved' | 'denied', comment: string | null, by: string | null): string {
  return JSON.stringify({ decision, comment, by });
}

/** The answer of a connection. */
export function connectionText(integrationId: string): string {
  return JSON.stringify({ integration_id: integrationId });
}
