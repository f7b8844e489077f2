import { registerEnumType } from 'type-graphql';

/** The states of a run. It is over in the last four. */
export const RunStatus = {
  QUEUED: 'queued',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELED: 'canceled',
  SKIPPED: 'skipped',
} as const;
export type RunStatus = (typeof RunStatus)[keyof typeof RunStatus];

/** Whether a run in this state will never do anything more. */
export function isFinished(status: RunStatus): boolean {
  return status !== 'queued' && status !== 'running';
}

registerEnumType(RunStatus, {
  name: 'RunStatus',
  description: 'How far a run has come.',
  valuesConfig: {
    QUEUED: { description: 'It will start.' },
    RUNNING: { description: 'Its actions are under way.' },
    SUCCEEDED: { description: 'All that had to be done was done.' },
    FAILED: { description: 'An action failed; `error` says how.' },
    CANCELED: { description: 'Stopped by somebody, or with its workflow.' },
    SKIPPED: { description: 'Recorded, and not run; `statusReason` says why.' },
  },
});

/** The states of a step. */
export const StepStatus = { RUNNING: 'running', SUCCEEDED: 'succeeded', FAILED: 'failed' } as const;
export type StepStatus = (typeof StepStatus)[keyof typeof StepStatus];

registerEnumType(StepStatus, {
  name: 'StepStatus',
  description: 'How far a step has come.',
  valuesConfig: {
    RUNNING: { description: 'Under way, waiting, or about to be tried again.' },
    SUCCEEDED: { description: 'Done.' },
    FAILED: { description: 'Not done; `error` says why.' },
  },
});
