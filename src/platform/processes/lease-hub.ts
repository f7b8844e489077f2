import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel } from './channel.js';
import { type Counts, type LeaseRequest } from './leases.js';

/** How long to wait for the free places of a busy process, in milliseconds. */
const RECALL_MS = 1_000;

/** Grants the places of this machine, in the primary process. The places of a process that ends are free at once. */
export class LeaseHub {
  /** Leased places by name and process. */
  private readonly leased = new Map<string, Map<Channel, number>>();
  private readonly recalls = new Map<string, Promise<void>>();
  /** Processes that have ended. */
  private readonly removed = new WeakSet<Channel>();

  /** Connects a process, before its first message. */
  connect(channel: Channel): void {
    channel.on('lease', (request: LeaseRequest) => this.grant(channel, request));
    channel.on('give back', (counts: Counts) => {
      for (const [name, count] of counts) this.move(name, channel, -count);
    });
  }

  remove(channel: Channel): void {
    this.removed.add(channel);
    for (const [name, holders] of this.leased) this.move(name, channel, -(holders.get(channel) ?? 0));
  }

  private async grant(channel: Channel, { name, most }: LeaseRequest): Promise<boolean> {
    if (this.totalOf(name) >= most) await this.recall(name);
    // A process that has ended never gives its place back.
    if (this.totalOf(name) >= most || this.removed.has(channel)) return false;
    this.move(name, channel, 1);
    return true;
  }

  private totalOf(name: string): number {
    let total = 0;
    for (const count of this.leased.get(name)?.values() ?? []) total += count;
    return total;
  }

  /** Takes back the free places of all processes. Requests that need them at the same time share one recall. */
  private recall(name: string): Promise<void> {
    const current = this.recalls.get(name);
    if (current !== undefined) return current;
    const holders = [...(this.leased.get(name)?.keys() ?? [])];
    const each = holders.map(async (holder) => {
      const given = holder.ask<number>('recall', name).then((free) => this.move(name, holder, -free));
      await Promise.race([given.catch(() => undefined), sleep(RECALL_MS, undefined, { ref: false })]);
    });
    const recall = Promise.all(each).then(() => void this.recalls.delete(name));
    this.recalls.set(name, recall);
    return recall;
  }

  private move(name: string, channel: Channel, count: number): void {
    const holders = this.leased.get(name) ?? new Map<Channel, number>();
    const rest = (holders.get(channel) ?? 0) + count;
    if (rest > 0) holders.set(channel, rest);
    else holders.delete(channel);
    if (holders.size > 0) this.leased.set(name, holders);
    else this.leased.delete(name);
  }
}
