import { type Channel } from './channel.js';

/** A place that the primary process is asked for. */
export interface LeaseRequest {
  /** The kind of place and its holder. */
  name: string;
  /** The maximum of places of this name on the machine. */
  most: number;
}

/** Places by name. */
export type Counts = [name: string, count: number][];

/** How long a place that became free stays with this process for the next taker, in milliseconds. */
const KEEP_MS = 1_000;

/**
 * Leases of the primary process for places that all processes of the machine share. A place that becomes free stays here for
 * a second, so that a client that polls again and again costs no message; the primary recalls it when another process needs it.
 */
export class Leases {
  /** Places that are leased and not taken. */
  private readonly free = new Map<string, number>();
  /** Places that were free at the last look. */
  private aging = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly channel: Channel) {
    channel.on('recall', (name: string) => this.drop(name));
  }

  /** Resolves to false when all places of the name are taken on this machine. */
  async take({ name, most }: LeaseRequest): Promise<boolean> {
    const free = this.free.get(name) ?? 0;
    if (free === 0) return this.channel.ask<boolean>('lease', { name, most } satisfies LeaseRequest);
    this.set(name, free - 1);
    return true;
  }

  /** Gives a place back. */
  release(name: string): void {
    this.set(name, (this.free.get(name) ?? 0) + 1);
    this.timer ??= setInterval(() => this.giveBack(), KEEP_MS).unref();
  }

  private set(name: string, free: number): void {
    if (free === 0) this.free.delete(name);
    else this.free.set(name, free);
    const aged = this.aging.get(name);
    if (aged !== undefined && aged > free) this.aging.set(name, free);
  }

  private drop(name: string): number {
    const free = this.free.get(name) ?? 0;
    this.set(name, 0);
    return free;
  }

  /** Returns the places that no caller has taken since the last check. */
  private giveBack(): void {
    const old: Counts = [...this.aging].filter(([, count]) => count > 0);
    for (const [name, count] of old) this.set(name, this.free.get(name)! - count);
    if (old.length > 0) void this.channel.tell('give back', old);
    this.aging = new Map(this.free);
    if (this.free.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
