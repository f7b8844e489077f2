import { type RunStatusChange } from './run-change.js';

/** What a listener follows: one run, or all runs of a workflow or an account. */
export type FeedScope = 'run' | 'workflow' | 'account';

/** The callbacks of a listener. */
export interface RunListener {
  /** The account of what it follows. */
  accountId: string;
  tell: (change: RunStatusChange) => void;
  /** Called when changes were dropped because too many wait for the listeners of the account. */
  lose: () => void;
}

/** A listener in its place. */
export interface Follower extends RunListener {
  /** Milliseconds since 1970. Earlier changes are not delivered to it. */
  since: number;
  /** The number of changes received before it joined; those are not delivered to it either. */
  joined: number;
}

/** Listeners by the uuid of the run, workflow or account that they follow. */
export class RunFollowers {
  readonly of: Record<FeedScope, Map<string, Set<Follower>>> = {
    run: new Map(),
    workflow: new Map(),
    account: new Map(),
  };

  /** @returns the function that removes the listener. */
  add(scope: FeedScope, uuid: string, follower: Follower): () => void {
    const all = this.of[scope];
    const followers = all.get(uuid) ?? new Set();
    all.set(uuid, followers.add(follower));
    return () => {
      followers.delete(follower);
      if (followers.size === 0 && all.get(uuid) === followers) all.delete(uuid);
    };
  }

  get count(): number {
    const sets = Object.values(this.of).flatMap((all) => [...all.values()]);
    return sets.reduce((sum, { size }) => sum + size, 0);
  }

  clear(): void {
    Object.values(this.of).forEach((all) => all.clear());
  }

  isFollowed({
    runUuid,
    workflowUuid,
    accountId,
  }: Pick<RunStatusChange, 'runUuid' | 'workflowUuid' | 'accountId'>): boolean {
    const { run, workflow, account } = this.of;
    return run.has(runUuid) || workflow.has(workflowUuid) || account.has(accountId);
  }

  /** The listeners of a workflow or an account. */
  wide({ workflowUuid, accountId }: Pick<RunStatusChange, 'workflowUuid' | 'accountId'>): Set<Follower>[] {
    const { workflow, account } = this.of;
    return [workflow.get(workflowUuid), account.get(accountId)].filter((set) => set !== undefined);
  }

  all(change: RunStatusChange): Follower[] {
    return [this.of.run.get(change.runUuid), ...this.wide(change)].flatMap((set) => [...(set ?? [])]);
  }

  /** The accounts with listeners of a workflow or of the account. */
  wideAccounts(): Set<string> {
    const accounts = new Set(this.of.account.keys());
    for (const [first] of this.of.workflow.values()) accounts.add(first!.accountId);
    return accounts;
  }

  /** The runs with listeners that were not returned for the longest time, at most so many: of each account as many. */
  nextRuns(most: number): string[] {
    const { run } = this.of;
    const accounts = Map.groupBy(run, ([, [first]]) => first!.accountId);
    const next: [string, Set<Follower>][] = [];
    for (let open = [...accounts.values()]; open.length > 0 && next.length < most;) {
      const share = Math.max(1, Math.floor((most - next.length) / open.length));
      for (const runs of open) next.push(...runs.splice(0, Math.min(share, most - next.length)));
      open = open.filter(({ length }) => length > 0);
    }
    for (const [uuid, followers] of next) {
      run.delete(uuid);
      run.set(uuid, followers);
    }
    return next.map(([uuid]) => uuid);
  }
}
