import { timeOf } from '../../../platform/ids/ids.js';
import { RunStatusChange } from './run-change.js';

const REMEMBERED = 50_000;

/** The version of the last delivered change, for the 50,000 runs delivered most recently. */
export class SeenVersions {
  private readonly versions = new Map<string, number>();

  /**
   * The changes to deliver for a received one: none if it was delivered before; the creation first if that is missing.
   */
  upTo(change: RunStatusChange): RunStatusChange[] {
    const { runUuid, version } = change;
    const seen = this.versions.get(runUuid) ?? 0;
    if (version <= seen) return [];
    this.remember(runUuid, version);
    return seen === 0 && version === 2 ? [madeBefore(change), change] : [change];
  }

  private remember(run: string, version: number): void {
    this.versions.delete(run);
    this.versions.set(run, version);
    if (this.versions.size > REMEMBERED) this.versions.delete(this.versions.keys().next().value!);
  }
}

function madeBefore({ runUuid, workflowUuid, accountId }: RunStatusChange): RunStatusChange {
  const made = { runUuid, workflowUuid, accountId, previousStatus: null, status: 'queued', version: 1 };
  return Object.assign(new RunStatusChange(), { ...made, at: timeOf(runUuid) });
}
