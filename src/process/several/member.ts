import cluster, { type Worker } from 'node:cluster';
import { constants } from 'node:os';
import { Channel } from '../../platform/processes/channel.js';
import { closeLostConnection } from './handover.js';

/** The exit status of a process, or the signal that ended it. */
export type End = number | NodeJS.Signals;

/** One of the processes that serve, as the primary process sees it. */
export class Member {
  readonly channel: Channel;
  readonly ended: Promise<End>;
  /** Resolves once it serves. */
  readonly ready: Promise<void>;
  hasEnded = false;
  private readonly worker: Worker;

  /** Starts the process. It loads its code, and waits for `begin`. */
  constructor(readonly place: number) {
    this.worker = cluster.fork();
    closeLostConnection(this.worker);
    this.channel = new Channel(this.worker.process);
    this.ready = new Promise((resolve) => this.channel.on('ready', () => resolve()));
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', (status: number | null, signal: NodeJS.Signals | null) => {
        this.hasEnded = true;
        this.channel.end();
        resolve(signal ?? status ?? 1);
      });
    });
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }
}

/** The exit status that a shell reports for an end. */
export function statusOf(end: End): number {
  return typeof end === 'number' ? end : 128 + constants.signals[end];
}
