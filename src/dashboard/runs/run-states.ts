import { type RunStatus } from '../graphql/enums.generated.js';

/** The statuses of runs, in the order in which a filter offers them. */
export const RUN_STATUSES = [
  'QUEUED',
  'RUNNING',
  'WAITING',
  'SUCCEEDED',
  'FAILED',
  'CANCELED',
  'SKIPPED',
] as const satisfies readonly RunStatus[];

/** Whether this status is final. */
export function isFinished(status: RunStatus): boolean {
  return status !== 'QUEUED' && status !== 'RUNNING' && status !== 'WAITING';
}
