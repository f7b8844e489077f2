import { registerEnumType } from 'type-graphql';

/** The states of a run. The last four are final. */
export const RunStatus = {
  QUEUED: 'queued',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELED: 'canceled',
  SKIPPED: 'skipped',
} as const;
export type RunStatus = (typeof RunStatus)[keyof typeof RunStatus];

/** Whether a status is final. */
export function isFinished(status: RunStatus): boolean {
  return status !== 'queued' && status !== 'running';
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
