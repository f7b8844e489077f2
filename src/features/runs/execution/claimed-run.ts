import { type Action } from '../../actions/action.entity.js';
import { type HeldJob } from '../../../platform/jobs/job-queue.js';
import { type TriggerType } from '../../workflows/trigger-type.js';
import { type EndReason } from '../run-reasons.js';
import { type RunEnd, type StepStatus } from '../run-status.js';
import { type StepError } from '../../actions/step-work.js';

/** The error of a step that was running when its run was canceled. */
export const CANCELED: StepError = { code: 'canceled', message: 'The run was canceled.' };

/** A JSON text of a run: its input, the headers or the query of its trigger, or the output of a step. */
export interface RunText {
  /** Undefined while only the database holds it; a step that needs it reads it from there. */
  text: string | undefined;
  /** The size, or an upper bound of it while `text` is undefined. */
  bytes: number;
}

/** The state of a step, as its row stores it. */
export interface StepState {
  index: number;
  name: string;
  kind: Action['kind'];
  status: StepStatus;
  attempt: number;
  /** Null for no output and for the JSON value `null`. */
  output: RunText | null;
  error: StepError | null;
  startedAt: Date;
  finishedAt: Date | null;
}

/** A run that this worker executes, valid as long as its row has this claim. */
export interface ClaimedRun {
  uuid: string;
  accountId: string;
  workflowUuid: string;
  triggerUuid: string | null;
  triggerType: TriggerType;
  input: RunText;
  triggerHeaders: RunText;
  triggerQuery: RunText;
  hops: number;
  /** The version before the claim. */
  version: number;
  startedAt: Date;
  claim: string;
  /** How many workers in a row died with this run before anything of it was saved. */
  workersLost: number;
  job: HeldJob;
  actions: readonly Action[];
  /** By index; the last one may be running. */
  steps: StepState[];
}

/** What a run does after a step: the next step, its end, a pause, or a return to the queue for another worker. */
export type NextStep =
  | { kind: 'next'; step: StepState }
  | { kind: 'end'; status: RunEnd; reason?: EndReason; error?: StepError }
  | { kind: 'resume'; at: Date }
  | { kind: 'handBack' };

/** The index of the first action without a succeeded step. */
export function nextIndex({ steps }: ClaimedRun): number {
  const open = steps.findIndex(({ status }) => status !== 'succeeded');
  return open === -1 ? steps.length : open;
}

/** The state of a step at the start of its next attempt. */
export function beginStep({ actions, steps }: ClaimedRun, index: number, now: Date): StepState {
  const { name, kind } = actions[index]!;
  const before = steps[index];
  return {
    index,
    name,
    kind,
    status: 'running',
    attempt: (before?.attempt ?? 0) + 1,
    output: null,
    error: null,
    startedAt: before?.startedAt ?? now,
    finishedAt: null,
  };
}
