import { type Action } from '../../actions/action.entity.js';
import { type HeldJob } from '../../../platform/jobs/job-queue.js';
import { type TriggerType } from '../../workflows/trigger-type.js';
import { type StepStatus } from '../run-status.js';
import { type StepError } from '../../actions/step-work.js';

/** What a step fails with that was under way when its run was canceled. */
export const CANCELED: StepError = { code: 'canceled', message: 'The run was canceled.' };

/** A JSON text of a run: its input, or the output of a step. */
export interface RunText {
  /** Undefined where it is left in the database until a step reads it. */
  text: string | undefined;
  /** The most that it has. */
  bytes: number;
}

/** A step as it stands in its row. */
export interface StepState {
  index: number;
  name: string;
  kind: Action['kind'];
  status: StepStatus;
  attempt: number;
  /** Null: none, or JSON's null. */
  output: RunText | null;
  error: StepError | null;
  startedAt: Date;
  finishedAt: Date | null;
}

/** A run that this worker carries out, as long as its row names the claim. */
export interface ClaimedRun {
  uuid: string;
  accountId: string;
  workflowUuid: string;
  triggerUuid: string | null;
  triggerType: TriggerType;
  input: RunText;
  hops: number;
  /** As it was before the claim. */
  version: number;
  startedAt: Date;
  claim: string;
  /** How many workers before this one were lost with it, since anything of it was saved. */
  workersLost: number;
  job: HeldJob;
  actions: readonly Action[];
  /** By index; the last may be under way. */
  steps: StepState[];
}

/** What comes after a step: the next one, the end, a pause, or another worker. */
export type NextStep =
  | { kind: 'next'; step: StepState }
  | { kind: 'end'; status: 'succeeded' | 'failed' | 'canceled'; reason?: string; error?: StepError }
  | { kind: 'resume'; at: Date }
  | { kind: 'handBack' };

/** The first action that is not known to have succeeded. */
export function nextIndex({ steps }: ClaimedRun): number {
  const open = steps.findIndex(({ status }) => status !== 'succeeded');
  return open === -1 ? steps.length : open;
}

/** The row of a step whose next attempt begins. */
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
