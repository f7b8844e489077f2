import { type Door } from './doors.js';

/** The history of a listener. */
export interface Story {
  /** Received versions in order, over all its connections. */
  heard: number[];
  /** The ports whose connections broke. */
  lostAt: number[];
  faults: string[];
}

/**
 * A client that follows docs/reference/subscriptions.md: when its connection breaks it connects to the remaining process after a random
 * delay, and resumes after the last version it knows.
 */
export class Listener implements Story {
  readonly heard: number[] = [];
  readonly lostAt: number[] = [];
  readonly faults: string[] = [];
  private disconnect: () => void = () => undefined;
  private stopped = false;

  constructor(
    readonly door: { name: string; open: Door },
    private readonly its: { key: string; id: string; patienceMs: number },
  ) {}

  /** Resolves when the server has registered it, or the connection broke. */
  async attach(port: number, left = port): Promise<void> {
    const { key, id, patienceMs } = this.its;
    const { promise, resolve: attached } = Promise.withResolvers<void>();
    let isOver = false;
    const lost = (fault?: string): void => {
      if (isOver || this.stopped) return;
      isOver = true;
      attached();
      this.lostAt.push(port);
      if (fault !== undefined) this.faults.push(fault);
      setTimeout(() => void (this.stopped || this.attach(left)), Math.random() * patienceMs);
    };
    const hear = (version: number): void => void this.heard.push(version);
    this.disconnect = this.door.open({ port, key, id, after: this.heard.at(-1) }, { attached, hear, lost });
    await promise;
  }

  stop(): void {
    this.stopped = true;
    this.disconnect();
  }
}
