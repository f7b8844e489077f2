import { type Transaction } from '../../../platform/db/database.js';
import { type LockedRun, type RunContinuation } from '../../runs/control/continue-runs.js';
import { type WaitRecorder } from '../changes/record-moves.js';
import { outcomeOf } from '../outcome.js';
import { type Wait } from '../wait.entity.js';
import { saveWaits } from '../wait-store.js';

/** A wait with its new status and answer, and its run, both locked. */
export interface Settlement {
  wait: Wait;
  run: LockedRun;
  /** It had no row: its run has not reached it yet. */
  isEarly?: boolean;
}

/**
 * Ends waits: the answer or the expiry, the step, the run's next job or its end, the changes for listeners and the events
 * for webhooks are one transaction.
 */
export class WaitSettlement {
  constructor(
    private readonly recorder: WaitRecorder,
    private readonly continuation: RunContinuation,
  ) {}

  /** Call it last in the transaction. */
  async settle(tx: Transaction, now: Date, settled: readonly Settlement[]): Promise<void> {
    const finish = await this.begin(tx, now, settled);
    await finish();
  }

  /** Does everything but number the changes of waits. @returns a function that does this; call it last in the transaction. */
  async begin(tx: Transaction, now: Date, settled: readonly Settlement[]): Promise<() => Promise<void>> {
    if (settled.length === 0) return () => Promise.resolve();
    await saveWaits(
      tx,
      settled.map(({ wait }) => wait),
    );
    await this.continuation.continue(
      tx,
      now,
      settled
        .filter(({ isEarly }) => isEarly !== true)
        .map(({ wait, run }) => ({ run, index: wait.stepIndex, outcome: outcomeOf(wait) })),
    );
    return this.recorder.begin(
      tx,
      now,
      settled.map(({ wait, isEarly }) => ({ wait, from: isEarly === true ? null : 'pending' })),
    );
  }
}
