import { type RunStatusChange } from './run-change.js';

/** The maximum of runs that are remembered, of all accounts together. */
const REMEMBERED = 50_000;

/**
 * The versions of the runs that were noted last. Beyond the maximum an account with more than an equal share loses its
 * oldest one, so that no account displaces the runs of others.
 */
export class RememberedVersions {
  private readonly accounts = new Map<string, Map<string, number>>();
  private size = 0;
  private largest = '';

  constructor(private readonly most = REMEMBERED) {}

  /** 0 if it is not known. */
  of({ accountId, runUuid }: Pick<RunStatusChange, 'accountId' | 'runUuid'>): number {
    return this.accounts.get(accountId)?.get(runUuid) ?? 0;
  }

  set({ accountId, runUuid, version }: Pick<RunStatusChange, 'accountId' | 'runUuid' | 'version'>): void {
    const versions = this.accounts.get(accountId) ?? new Map<string, number>();
    this.accounts.set(accountId, versions);
    if (!versions.delete(runUuid)) this.size += 1;
    versions.set(runUuid, version);
    if (this.size > this.most) this.forget(accountId);
  }

  /** Forgets the oldest run of the account with the most, or of one that has more than an equal share. */
  private forget(accountId: string): void {
    const sizeOf = (account: string): number => this.accounts.get(account)?.size ?? 0;
    if (sizeOf(accountId) > sizeOf(this.largest)) this.largest = accountId;
    if (sizeOf(this.largest) <= this.size / this.accounts.size) {
      for (const account of this.accounts.keys()) if (sizeOf(account) > sizeOf(this.largest)) this.largest = account;
    }
    const versions = this.accounts.get(this.largest)!;
    versions.delete(versions.keys().next().value!);
    if (versions.size === 0) this.accounts.delete(this.largest);
    this.size -= 1;
  }
}
