import { type Transaction } from '../../../platform/db/database.js';
import { type StepError } from '../../actions/step-work.js';
import { type WaitRequest } from '../../actions/wait-request.js';
import { type ClaimedRun, type StepState } from './claimed-run.js';

/** A run that has reached a wait. The transaction has locked its row. */
export interface Arrival {
  run: ClaimedRun;
  step: StepState;
  what: WaitRequest;
}

/** What becomes of a step whose wait has ended. `again`: it is executed again. */
export type WaitOutcome =
  { kind: 'succeeded'; output: unknown } | { kind: 'failed'; error: StepError } | { kind: 'again' };

/** The result of arrivals. */
export interface Arrived {
  /** For each arrival in order its outcome; undefined if its run waits from now on. */
  outcomes: (WaitOutcome | undefined)[];
  /** Numbers the changes, which locks the waits of the accounts until the commit: call it last, before jobs are settled. */
  finish: () => Promise<void>;
}

/** What runs need of waits. The feature that stores waits depends on runs, so it gives them these functions. */
export interface RunWaits {
  /** Begins the wait of each run, unless it is over already: an answer may have arrived before, or the connection is there. */
  arrive(tx: Transaction, now: Date, arrivals: readonly Arrival[]): Promise<Arrived>;
  /** Cancels the pending waits of runs that the transaction ends. */
  cancel(tx: Transaction, now: Date, runs: readonly string[]): Promise<void>;
}
