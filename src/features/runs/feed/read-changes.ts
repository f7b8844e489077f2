import { type Snapshot } from './change-marks.js';
import { type StoredChange } from './late-changes.js';
import { Remembered } from './remembered-versions.js';
import { type RunStatusChange } from './run-change.js';

/**
 * The marks of the changes that resuming listeners read last. All listeners of the process share them, because what each has
 * read follows from the moment of its own read: an account may have thousands of listeners.
 */
export class ReadChanges {
  private readonly marks = new Remembered<{ mark: string | undefined }>();

  note({ change, mark }: Pick<StoredChange, 'change' | 'mark'>): void {
    this.marks.set(change.accountId, keyOf(change), { mark });
  }

  /** Whether a listener read the change; `snapshot` is the moment of its read. */
  has(change: RunStatusChange, snapshot: Snapshot): boolean {
    const read = this.marks.of(change.accountId, keyOf(change));
    return read !== undefined && snapshot.sees(read.mark);
  }
}

/** Names a change among those of its account. */
export function keyOf({ runUuid, version }: Pick<RunStatusChange, 'runUuid' | 'version'>): string {
  return `${runUuid}_${version}`;
}
