import { type RunChange } from '../queue/runs-changed.js';
import { isFinished, type RunStatus } from '../run-status.js';

/** Counts the runs that the worker of this process has ended, by final status. */
export class RunTally {
  readonly ended: Partial<Record<RunStatus, number>> = { succeeded: 0, failed: 0, canceled: 0 };

  /** Call it with committed changes only. */
  count(changes: readonly RunChange[]): void {
    for (const { to } of changes) if (isFinished(to)) this.ended[to] = (this.ended[to] ?? 0) + 1;
  }
}
