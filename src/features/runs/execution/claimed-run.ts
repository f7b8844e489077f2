import { type Action } from '../../actions/action.entity.js';
import { type HeldJob } from '../../../platform/jobs/job-queue.js';
import { type TriggerType } from '../../workflows/trigger-type.js';
import { type EndReason } from '../run-reasons.js';
import { type RunEnd, type StepStatus } from '../run-status.js';
import { type StepError } from '../../actions/step-work.js';
import { type WaitRequest } from '../../actions/wait-request.js';

/** The error of a step that was running when its run was canceled. */
export const CANCELED: StepError = { code: 'canceled', message: 'The run was canceled.' };

/** A JSON text of a run: its input, the headers or the query of its trigger, or the output of a step. */
export interface RunText {
  /** Undefined while only the database holds it; a step that needs it reads it from there. */
  text: string | undefined;
  /** The size, or an upper bound of it while `text` is undefined. */
  bytes: number;
  /** The payload that holds the text of an input; several runs may share it. */
  payloadUuid?: string | null;
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
  /** Since when the application has asked for nothing but to wait; null if it has not. */
  blockedSince: Date | null;
  startedAt: Date;
  finishedAt: Date | null;
  /** The run in which it was executed, if it was carried over from there. */
  firstRunUuid: string | null;
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
  isTest: boolean;
  /** The version before the claim. */
  version: number;
  startedAt: Date;
  /** How long it has waited for something outside, in milliseconds: its time limit does not count that. */
  waitedMs: number;
  /** When it last began or ceased to wait; null if it never waited. */
  waitChangedAt: Date | null;
  /** The trace that it was created in, as a header; null without one. */
  traceparent: string | null;
  /** Whether this worker is the first to execute it. */
  isFresh: boolean;
  claim: string;
  /** How far the clock of this process was behind the database's at the claim, in milliseconds. */
  behindMs: number;
  /** How many workers in a row died with this run before anything of it was saved. */
  workersLost: number;
  job: HeldJob;
  actions: readonly Action[];
  /** By index; the last one may be running. */
  steps: StepState[];
}

/**
 * What a run does after a step: the next step, its end, a pause until a time, a wait for something outside, or a return to
 * the queue for another worker.
 */
export type NextStep =
  | { kind: 'next'; step: StepState }
  | { kind: 'end'; status: RunEnd; reason?: EndReason; error?: StepError }
  | { kind: 'resume'; at: Date }
  | { kind: 'await'; what: WaitRequest }
  | { kind: 'handBack' };

/** A step's result, to be saved before the run continues. */
export interface Progress {
  run: ClaimedRun;
  /** The state of the step; undefined if there is none to save. */
  step: StepState | undefined;
  then: NextStep;
}

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
    blockedSince: before?.blockedSince ?? null,
    startedAt: before?.startedAt ?? now,
    finishedAt: null,
    firstRunUuid: null,
  };
}
