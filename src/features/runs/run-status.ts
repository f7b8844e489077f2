import { registerEnumType } from 'type-graphql';
import { openStates, sqlStates, type Transitions } from '../../platform/transitions.js';

/** The states of a run. */
export const RunStatus = {
  QUEUED: 'queued',
  RUNNING: 'running',
  WAITING: 'waiting',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELED: 'canceled',
  SKIPPED: 'skipped',
} as const;
export type RunStatus = (typeof RunStatus)[keyof typeof RunStatus];

/** The transitions of a run. Only between `running` and `waiting` may it move back; a retry is another run. */
export const RUN_TRANSITIONS = {
  queued: { from: [null], to: ['queued'], what: 'A trigger, a client or a retry created it.' },
  skipped: {
    from: [null],
    to: ['skipped'],
    what: 'A trigger fired, but the run must not start; `status_reason` says why.',
  },
  started: { from: ['queued'], to: ['running'], what: 'A worker began its first action.' },
  waiting: { from: ['running'], to: ['waiting'], what: 'It reached an action that waits for something outside.' },
  continued: { from: ['waiting'], to: ['running'], what: 'Its wait was answered, or ended without failing the run.' },
  succeeded: { from: ['running'], to: ['succeeded'], what: 'Its last action succeeded, or a condition ended it.' },
  failed: {
    from: ['running', 'waiting'],
    to: ['failed'],
    what: 'An action failed, its wait was denied or expired, the run exceeded its time limit, or three workers died over it.',
  },
  unreadable: { from: ['queued', 'running'], to: ['failed'], what: 'Its actions could not be decrypted.' },
  canceled: {
    from: ['queued', 'running', 'waiting'],
    to: ['canceled'],
    what: 'A client canceled it or deleted its workflow.',
  },
} as const satisfies Transitions<RunStatus>;

/** The final states of a run that was queued. */
export type RunEnd = (typeof RUN_TRANSITIONS)['succeeded' | 'failed' | 'canceled']['to'][number];

const OPEN = openStates<RunStatus>(RUN_TRANSITIONS);
/** SQL: the states that are not final, for `IN (…)`. */
export const OPEN_STATES = sqlStates(OPEN);

/** SQL: the states in which a worker may have the run. */
export const EXECUTED_STATES = sqlStates<RunStatus>(['queued', 'running']);

/** Whether a status is final. */
export function isFinished(status: RunStatus): boolean {
  return !OPEN.has(status);
}

registerEnumType(RunStatus, {
  name: 'RunStatus',
  description: 'How far a run has come.',
  valuesConfig: {
    QUEUED: { description: 'It will start.' },
    RUNNING: {
      description: 'Its actions are being executed, or it waits for a time: after a `delay`, or before a retry.',
    },
    WAITING: { description: 'It waits for something outside: a connection, an approval or a callback. See `waits`.' },
    SUCCEEDED: { description: 'All actions succeeded, or a condition ended it.' },
    FAILED: { description: 'An action failed; `error` says why.' },
    CANCELED: { description: 'Canceled on request, or because its workflow was deleted.' },
    SKIPPED: { description: 'Recorded but not executed; `statusReason` says why.' },
  },
});

/** The states of a step. */
export const StepStatus = { RUNNING: 'running', WAITING: 'waiting', SUCCEEDED: 'succeeded', FAILED: 'failed' } as const;
export type StepStatus = (typeof StepStatus)[keyof typeof StepStatus];

registerEnumType(StepStatus, {
  name: 'StepStatus',
  description: 'How far a step has come.',
  valuesConfig: {
    RUNNING: { description: 'It is running, waits for a time, or is about to be retried.' },
    WAITING: { description: 'It waits for something outside. See `Run.waits`.' },
    SUCCEEDED: { description: 'It succeeded.' },
    FAILED: { description: 'It failed; `error` says why.' },
  },
});
