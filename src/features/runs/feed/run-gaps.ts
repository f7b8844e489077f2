import { type RunStatusChange } from './run-change.js';

const REMEMBERED = 50_000;

/** The version of a run. */
export type RunVersion = Pick<RunStatusChange, 'runUuid' | 'version'>;

/**
 * Hints arrive in the order of commits only if one process sends them, and some get lost. A version that is more than one
 * ahead shows it: the run is then read, so that its listeners get each version in order.
 */
export class RunGaps {
  private readonly heard = new Map<string, number>();
  /** Runs to read, with the versions that hints told of. */
  private missing = new Map<string, Set<number>>();
  private isReading = false;

  /** @param read must deliver all changes of these runs that are not heard yet. */
  constructor(private readonly read: (runs: ReadonlyMap<string, ReadonlySet<number>>) => Promise<void>) {}

  /** Whether the change continues what was heard of its run. Otherwise it is old, or its run is read. */
  isNext({ runUuid, version }: RunVersion): boolean {
    const last = this.heard.get(runUuid) ?? 0;
    if (version <= last) return false;
    // The first hint of a run is of its second version, or it was created as a skipped one.
    if (version === last + 1 || (last === 0 && version === 2)) return true;
    this.miss(runUuid).add(version);
    return false;
  }

  /** Compares versions in the tables with those that were heard, and reads the runs that are ahead. */
  compare(runs: readonly RunVersion[]): void {
    for (const { runUuid, version } of runs) if (!this.isHeard({ runUuid, version })) this.miss(runUuid);
  }

  isHeard({ runUuid, version }: RunVersion): boolean {
    return version <= (this.heard.get(runUuid) ?? 0);
  }

  note({ runUuid, version }: RunVersion): void {
    const last = Math.max(version, this.heard.get(runUuid) ?? 0);
    this.heard.delete(runUuid);
    this.heard.set(runUuid, last);
    if (this.heard.size > REMEMBERED) this.heard.delete(this.heard.keys().next().value!);
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
