import { type Channel } from './channel.js';
import { type Amounts } from './spending.js';

/** Passes on, in the primary process, what each process has spent to all the others. It keeps nothing. */
export class SpendingHub {
  private readonly members = new Set<Channel>();
  /** Reports of this turn of the event loop. */
  private reports: { from: Channel; amounts: Amounts }[] = [];

  constructor(private readonly kind: string) {}

  /** Connects a process, before its first message. */
  connect(channel: Channel): void {
    channel.on(this.kind, (amounts: Amounts) => {
      if (this.reports.length === 0) setImmediate(() => this.passOn());
      this.reports.push({ from: channel, amounts });
    });
  }

  /** Adds a process that has started, and tells it what is missing in the buckets of another one. */
  async add(channel: Channel): Promise<void> {
    const [other] = this.members;
    this.members.add(channel);
    const missing = await other?.ask<Amounts>(`missing ${this.kind}`).catch(() => undefined);
    if (missing !== undefined && missing.length > 0) void channel.tell(this.kind, missing);
  }

  remove(channel: Channel): void {
    this.members.delete(channel);
  }

  private passOn(): void {
    const reports = this.reports;
    this.reports = [];
    for (const member of this.members) {
      const amounts = reports.flatMap(({ from, amounts: spent }) => (from === member ? [] : spent));
      if (amounts.length > 0) void member.tell(this.kind, amounts);
    }
  }
}
