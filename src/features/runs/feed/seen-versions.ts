import { timeOf } from '../../../platform/ids/ids.js';
import { RememberedVersions } from './remembered-versions.js';
import { RunStatusChange } from './run-change.js';

/** The version of the last delivered change of the runs delivered most recently. */
export class SeenVersions {
  private readonly versions = new RememberedVersions();

  /**
   * The changes to deliver for a received one: none if it was delivered before; the creation first if that is missing.
   */
  upTo(change: RunStatusChange): RunStatusChange[] {
    const seen = this.versions.of(change);
    if (change.version <= seen) return [];
    this.versions.set(change);
    return seen === 0 && change.version === 2 ? [madeBefore(change), change] : [change];
  }
}

function madeBefore({ runUuid, workflowUuid, accountId }: RunStatusChange): RunStatusChange {
  const made = { runUuid, workflowUuid, accountId, previousStatus: null, status: 'queued', version: 1 };
  return Object.assign(new RunStatusChange(), { ...made, at: timeOf(runUuid) });
}
