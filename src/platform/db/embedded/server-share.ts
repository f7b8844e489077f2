import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

/**
 * A share in the running server: the writing end of a named pipe whose reading end its watchdog holds. The kernel closes
 * it when its process dies; the watchdog stops the server when the last one is closed.
 */
export class ServerShare {
  readonly #descriptor: number;
  #isOpen = true;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** The first hold on a new server, and the reading end that its watchdog inherits as a descriptor. */
  static first(fifo: string): { share: ServerShare; readingEnd: number } {
    // Opening one end alone would wait for the other.
    const both = openSync(fifo, O_RDWR | O_NOFOLLOW);
    if (!fstatSync(both).isFIFO()) throw new Error(`${fifo} is not a pipe.`);
    const readingEnd = openSync(fifo, O_RDONLY | O_NOFOLLOW);
    const share = new ServerShare(openSync(fifo, O_WRONLY | O_NONBLOCK | O_NOFOLLOW));
    closeSync(both);
    return { share, readingEnd };
  }

  /** Another hold on a server that runs; undefined when no watchdog takes any more. */
  static join(fifo: string): ServerShare | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(fifo, O_WRONLY | O_NONBLOCK | O_NOFOLLOW);
    } catch (error) {
      if (['ENOENT', 'ENXIO', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
    const share = new ServerShare(descriptor);
    if (fstatSync(descriptor).isFIFO() && share.isAlive()) return share;
    share.release();
    return undefined;
  }

  /** True while a watchdog reads this pipe, in whatever container it runs. */
  static isWatched(fifo: string): boolean {
    const share = ServerShare.join(fifo);
    share?.release();
    return share !== undefined;
  }

  /** Writes a line to the watchdog; false when it is gone, and with it the server or its protection. */
  isAlive(): boolean {
    try {
      return this.#isOpen && writeSync(this.#descriptor, '\n') === 1;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN';
    }
  }

  release(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}
