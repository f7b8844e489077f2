import { type RunStatusChange } from './run-change.js';

/** The maximum of entries that are remembered, of all accounts together. */
const REMEMBERED = 50_000;

/**
 * What was noted last, by account and key. Beyond the maximum an account with more than an equal share loses its oldest
 * entry, so that no account displaces those of others.
 */
export class Remembered<V> {
  private readonly accounts = new Map<string, Map<string, V>>();
  private size = 0;
  private largest = '';

  constructor(private readonly most = REMEMBERED) {}

  of(accountId: string, key: string): V | undefined {
    return this.accounts.get(accountId)?.get(key);
  }

  set(accountId: string, key: string, value: V): void {
    const values = this.accounts.get(accountId) ?? new Map<string, V>();
    this.accounts.set(accountId, values);
    if (!values.delete(key)) this.size += 1;
    values.set(key, value);
    if (this.size > this.most) this.forget(accountId);
  }

  /** Forgets the oldest entry of the account with the most, or of one that has more than an equal share. */
  private forget(accountId: string): void {
    const sizeOf = (account: string): number => this.accounts.get(account)?.size ?? 0;
    if (sizeOf(accountId) > sizeOf(this.largest)) this.largest = accountId;
    if (sizeOf(this.largest) <= this.size / this.accounts.size) {
      for (const account of this.accounts.keys()) if (sizeOf(account) > sizeOf(this.largest)) this.largest = account;
    }
    const values = this.accounts.get(this.largest)!;
    values.delete(values.keys().next().value!);
    if (values.size === 0) this.accounts.delete(this.largest);
    this.size -= 1;
  }
}

/** The versions of the runs that were noted last. */
export class RememberedVersions {
  private readonly versions: Remembered<number>;

  constructor(most?: number) {
    this.versions = new Remembered(most);
  }

  /** 0 if it is not known. */
  of({ accountId, runUuid }: Pick<RunStatusChange, 'accountId' | 'runUuid'>): number {
    return this.versions.of(accountId, runUuid) ?? 0;
  }

  set({ accountId, runUuid, version }: Pick<RunStatusChange, 'accountId' | 'runUuid' | 'version'>): void {
    this.versions.set(accountId, runUuid, version);
  }
}
