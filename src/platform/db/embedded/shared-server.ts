import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataDir } from './data-dir.js';
import { joinOrStart } from './join-or-start.js';
import { isPostmaster } from './postmaster.js';
import { sharePipe } from './server-share.js';
import { type RunningServer } from './start-server.js';

interface SharedServerOptions {
  native: string;
  data: DataDir;
  log: (line: string) => void;
  aloneInStarting: (work: () => Promise<void>) => Promise<void>;
}

const LOOK_EVERY = 500;
const OTHERS_HOLD_AFTER = 500;
const STOP_PATIENCE = 18_000;

/** One process's use of the shared server: watches it if requested, and releases it at the end. */
export class SharedServer {
  readonly port: number;
  private readonly options: SharedServerOptions;
  private server: RunningServer;
  private timer: NodeJS.Timeout | undefined;
  private restarting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;

  private constructor(options: SharedServerOptions, server: RunningServer) {
    this.options = options;
    this.server = server;
    this.port = server.port;
  }

  /** Joins or starts the server. The caller holds the start lock. */
  static async start(options: SharedServerOptions): Promise<SharedServer> {
    return new SharedServer(options, await joinOrStart(options.native, options.data));
  }

  /** From now on restarts the server on the same port when it ends unexpectedly. Does not keep the process alive. */
  watch(): void {
    this.timer = setInterval(() => {
      if (this.restarting === undefined && !this.server.share.isAlive()) this.restarting = this.startAgain();
    }, LOOK_EVERY).unref();
  }

  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async startAgain(): Promise<void> {
    const { native, data, log, aloneInStarting } = this.options;
    log('The embedded database ended unexpectedly: starting it again.');
    this.server.share.release();
    try {
      await aloneInStarting(async () => {
        this.server = await joinOrStart(native, data, this.port);
      });
      log('The embedded database runs again.');
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
      await sleep(2_000, undefined, { ref: false });
    } finally {
      this.restarting = undefined;
    }
  }

  private async end(): Promise<void> {
    const isGuest = this.timer === undefined && !this.server.isNew;
    clearInterval(this.timer);
    await this.restarting;
    const { data, log } = this.options;
    this.server.share.release();
    if (isGuest) return;
    const released = Date.now();
    while (await isPostmaster(this.server.pid, data.pgData)) {
      const waited = Date.now() - released;
      // The watchdog renames the pipe as soon as its last writing end is closed.
      if (waited > OTHERS_HOLD_AFTER && existsSync(sharePipe(data.pgData)))
        return log('The embedded database keeps running for another process.');
      if (waited > STOP_PATIENCE) return log('The embedded database is still stopping in the background.');
      await sleep(10);
    }
  }
}
