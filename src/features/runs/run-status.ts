import { registerEnumType } from 'type-graphql';
import { openStates, sqlStates, type Transitions } from '../../platform/transitions.js';

/** The states of a run. */
export const RunStatus = {
  QUEUED: 'queued',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELED: 'canceled',
  SKIPPED: 'skipped',
} as const;
export type RunStatus = (typeof RunStatus)[keyof typeof RunStatus];

/** The transitions of a run. A run never returns to a status; a retry is another run. */
export const RUN_TRANSITIONS = {
  queued: { from: [null], to: ['queued'], what: 'A trigger, a client or a retry created it.' },
  skipped: {
    from: [null],
    to: ['skipped'],
    what: 'A trigger fired, but the run must not start; `status_reason` says why.',
  },
  started: { from: ['queued'], to: ['running'], what: 'A worker began its first action.' },
  succeeded: { from: ['running'], to: ['succeeded'], what: 'Its last action succeeded, or a condition ended it.' },
  failed: {
    from: ['running'],
    to: ['failed'],
    what: 'An action failed, the run exceeded its time limit, or three workers died over it.',
  },
  unreadable: { from: ['queued', 'running'], to: ['failed'], what: 'Its actions could not be decrypted.' },
  canceled: { from: ['queued', 'running'], to: ['canceled'], what: 'A client canceled it or deleted its workflow.' },
} as const satisfies Transitions<RunStatus>;

/** The final states of a run that was queued. */
export type RunEnd = (typeof RUN_TRANSITIONS)['succeeded' | 'failed' | 'canceled']['to'][number];

const OPEN = openStates<RunStatus>(RUN_TRANSITIONS);
/** SQL: the states that are not final, for `IN (…)`. */
export const OPEN_STATES = sqlStates(OPEN);

/** Whether a status is final. */
export function isFinished(status: RunStatus): boolean {
  return !OPEN.has(status);
}

registerEnumType(RunStatus, {
  name: 'RunStatus',
  description: 'How far a run has come.',
  valuesConfig: {
    QUEUED: { description: 'It will start.' },
    RUNNING: { description: 'Its actions are being executed, or it waits.' },
    SUCCEEDED: { description: 'All actions succeeded, or a condition ended it.' },
    FAILED: { description: 'An action failed; `error` says why.' },
    CANCELED: { description: 'Canceled on request, or because its workflow was deleted.' },
    SKIPPED: { description: 'Recorded but not executed; `statusReason` says why.' },
  },
});

/** The states of a step. */
export const StepStatus = { RUNNING: 'running', SUCCEEDED: 'succeeded', FAILED: 'failed' } as const;
export type StepStatus = (typeof StepStatus)[keyof typeof StepStatus];

registerEnumType(StepStatus, {
  name: 'StepStatus',
  description: 'How far a step has come.',
  valuesConfig: {
    RUNNING: { description: 'It is running, waiting, or about to be retried.' },
    SUCCEEDED: { description: 'It succeeded.' },
    FAILED: { description: 'It failed; `error` says why.' },
  },
});
