import { type Channel } from './channel.js';
import { Leases } from './leases.js';
import { Spending, type SpendingKind } from './spending.js';

/** The places of one kind that all processes of the machine share. */
export interface PlaceLeases {
  take(key: string, most: number): Promise<boolean>;
  release(key: string): void;
}

/** The other processes of the service on this machine. A process that serves alone has none. */
export class Siblings {
  private readonly leases: Leases;

  constructor(
    readonly channel: Channel,
    /** False in a process that started when others already served. */
    readonly isFirst: boolean,
  ) {
    this.leases = new Leases(channel);
  }

  /** Places of a kind, counted over the machine. */
  places(kind: string): PlaceLeases {
    return {
      take: (key, most) => this.leases.take({ name: `${kind} ${key}`, most }),
      release: (key) => this.leases.release(`${kind} ${key}`),
    };
  }

  /** What is spent of buckets that the machine shares. */
  spending(kind: SpendingKind): Spending {
    return new Spending(this.channel, kind);
  }
}
