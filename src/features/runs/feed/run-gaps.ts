import { RememberedVersions } from './remembered-versions.js';
import { type RunStatusChange } from './run-change.js';

/** The version of a run. */
export type RunVersion = Pick<RunStatusChange, 'accountId' | 'runUuid' | 'version'>;

/**
 * Hints arrive in the order of commits only if one process sends them, and some get lost. A version that is more than one
 * ahead shows it: the run is then read, so that its listeners get each version in order.
 */
export class RunGaps {
  private readonly heard = new RememberedVersions();
  /** Runs to read, with the versions that hints told of. */
  private missing = new Map<string, Set<number>>();
  private isReading = false;

  /** @param read must deliver all changes of these runs that are not heard yet. */
  constructor(private readonly read: (runs: ReadonlyMap<string, ReadonlySet<number>>) => Promise<void>) {}

  /** Whether the change continues what was heard of its run. Otherwise it is old, or its run is read. */
  isNext(change: RunVersion): boolean {
    const { runUuid, version } = change;
    const last = this.heard.of(change);
    if (version <= last) return false;
    // The first hint of a run is of its second version, or it was created as a skipped one.
    if (version === last + 1 || (last === 0 && version === 2)) return true;
    this.miss(runUuid).add(version);
    return false;
  }

  /** Compares versions in the tables with those that were heard, and reads the runs that are ahead. */
  compare(runs: readonly RunVersion[]): void {
    for (const run of runs) if (!this.isHeard(run)) this.miss(run.runUuid);
  }

  isHeard(change: RunVersion): boolean {
    return change.version <= this.heard.of(change);
  }

  note({ accountId, runUuid, version }: RunVersion): void {
    this.heard.set({ accountId, runUuid, version: Math.max(version, this.heard.of({ accountId, runUuid })) });
  }

  private miss(runUuid: string): Set<number> {
    const versions = this.missing.get(runUuid) ?? new Set();
    this.missing.set(runUuid, versions);
    if (!this.isReading) {
      this.isReading = true;
      // After the other runs of the same message or look.
      queueMicrotask(() => void this.readAll());
    }
    return versions;
  }

  private async readAll(): Promise<void> {
    while (this.missing.size > 0) {
      const runs = this.missing;
      this.missing = new Map();
      await this.read(runs);
    }
    this.isReading = false;
  }
}
