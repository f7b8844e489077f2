import { type Channel } from '../../platform/processes/channel.js';
import { TOPICS } from './begin.js';

/** How a process is watched. */
export interface Beats {
  /** The time between two pings, in milliseconds. */
  everyMs: number;
  /** After so many intervals without a response the process counts as hung. */
  most: number;
}

/** A minute: a process whose event loop is blocked for 20 s must go on. */
export const BEATS: Beats = { everyMs: 5_000, most: 12 };

/**
 * Notices a process that runs but does nothing any more, e.g. in an endless loop. Counts the primary's own turns instead of
 * the time: when the whole machine was suspended, no process is to blame.
 */
export class Heartbeat {
  private timer: NodeJS.Timeout | undefined;
  private isAsked = false;
  private missed = 0;

  /** `onHung` is called once. */
  constructor(
    private readonly channel: Pick<Channel, 'ask'>,
    private readonly onHung: () => void,
    private readonly beats = BEATS,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.beat(), this.beats.everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Sends a ping, or counts that the last one has no response yet. */
  beat(): void {
    if (this.isAsked) this.miss();
    else this.ask();
  }

  private ask(): void {
    this.isAsked = true;
    void this.channel.ask(TOPICS.ping).then(
      () => {
        this.isAsked = false;
        this.missed = 0;
      },
      // The ping could not be sent. If the process has ended, `stop` follows.
      () => {
        this.isAsked = false;
        this.miss();
      },
    );
  }

  private miss(): void {
    this.missed += 1;
    if (this.missed !== this.beats.most) return;
    this.stop();
    this.onHung();
  }
}
