import { type Transaction } from '../../../platform/db/database.js';
import { type Progress, type StepState } from './claimed-run.js';
import { type RunWaits, type WaitOutcome } from './run-waits.js';
import { keptOutput } from './step-output.js';

/**
 * Lets the runs that reached a wait begin it. Those whose wait is over already go back to the queue or end. Runs without a
 * wait stay as they are. Call `finish` last in the transaction, before jobs are settled.
 */
export async function arriveAtWaits(
  tx: Transaction,
  now: Date,
  waits: Pick<RunWaits, 'arrive'>,
  all: readonly Progress[],
): Promise<{ progress: Progress[]; finish: () => Promise<void> }> {
  const arrivals = all.flatMap(({ run, step, then }) =>
    then.kind === 'await' ? [{ run, step: step!, what: then.what }] : [],
  );
  if (arrivals.length === 0) return { progress: [...all], finish: () => Promise.resolve() };
  const { outcomes, finish } = await waits.arrive(tx, now, arrivals);
  const byRun = new Map(arrivals.map(({ run }, place) => [run, outcomes[place]]));
  const progress = all.map((one) => (one.then.kind === 'await' ? afterArrival(one, byRun.get(one.run), now) : one));
  return { progress, finish };
}

function afterArrival({ run, step, then }: Progress, outcome: WaitOutcome | undefined, now: Date): Progress {
  const arrived = step!;
  if (outcome === undefined) {
    // A step that will be executed again has made no attempt yet.
    const repeats = then.kind === 'await' && then.what.kind === 'connection' && then.what.repeats;
    return { run, step: { ...arrived, status: 'waiting', attempt: arrived.attempt - (repeats ? 1 : 0) }, then };
  }
  const ended: StepState = { ...arrived, finishedAt: now };
  switch (outcome.kind) {
    case 'succeeded':
      return {
        run,
        step: { ...ended, status: 'succeeded', output: keptOutput(outcome.output) },
        then: { kind: 'handBack' },
      };
    case 'failed': {
      const { error } = outcome;
      return { run, step: { ...ended, status: 'failed', error }, then: { kind: 'end', status: 'failed', error } };
    }
    case 'again':
      return { run, step: { ...arrived, attempt: arrived.attempt - 1 }, then: { kind: 'handBack' } };
  }
}
