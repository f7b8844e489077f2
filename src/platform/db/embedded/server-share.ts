import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

/** The named pipe whose writing ends are the shares in the server. */
export function sharePipe(pgData: string): string {
  return join(pgData, 'gateway.holders');
}

/**
 * A process's share in the running server: the writing end of a named pipe whose reading end the watchdog holds. The
 * kernel closes it when the process dies. When the last one is closed, the watchdog stops the server.
 */
export class ServerShare {
  private readonly descriptor: number;
  private isOpen = true;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** The first share in a new server, and the reading end, which its watchdog inherits as a descriptor. */
  static first(fifo: string): { share: ServerShare; readingEnd: number } {
    // Opening one end alone would wait for the other.
    const both = openSync(fifo, O_RDWR | O_NOFOLLOW);
    if (!fstatSync(both).isFIFO()) throw new Error(`${fifo} is not a pipe.`);
    const readingEnd = openSync(fifo, O_RDONLY | O_NOFOLLOW);
    const share = new ServerShare(openSync(fifo, O_WRONLY | O_NONBLOCK | O_NOFOLLOW));
    closeSync(both);
    return { share, readingEnd };
  }

  /** Another share in a running server; undefined when no watchdog reads the pipe any more. */
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

  /** True while a watchdog reads this pipe, even one in another container. */
  static isWatched(fifo: string): boolean {
    const share = ServerShare.join(fifo);
    share?.release();
    return share !== undefined;
  }

  /** Writes a line to the watchdog; false when the watchdog is gone, and with it the server or its protection. */
  isAlive(): boolean {
    try {
      return this.isOpen && writeSync(this.descriptor, '\n') === 1;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN';
    }
  }

  release(): void {
    if (this.isOpen) closeSync(this.descriptor);
    this.isOpen = false;
  }
}

/**
 * The shell script between this process and PostgreSQL: `sh -c WATCHDOG name FIFO LOG postgres …`, with the reading end
 * of the pipe as descriptor 3. It starts the server, and stops it when the last writing end is closed: by a fast
 * shutdown, after 10 s by an immediate one.
 *
 * A process may open the pipe at the moment when the last writing end is closed. So the script renames the pipe first
 * and then reads once more: a line proves that another process has joined. A process that comes later finds no pipe and
 * waits for the server to end.
 */
export const WATCHDOG = `
trap '' HUP INT TERM
umask 077
fifo=$1 log=$2
shift 2
mv -f "$log" "$log.1" 2>/dev/null
exec >"$log" 2>&1
"$@" </dev/null 3<&- &
server=$!
ended() {
  n=$1
  while [ "$n" -gt 0 ]; do
    kill -0 "$server" 2>/dev/null || return 0
    sleep 0.1
    n=$((n - 1))
  done
  return 1
}
(
  while :; do
    while read -r _; do :; done
    mv "$fifo" "$fifo.closed"
    read -r _ || break
    mv "$fifo.closed" "$fifo"
  done
  kill -INT "$server"
  ended 100 || { kill -QUIT "$server"; ended 50; } || kill -KILL "$server"
) <&3 &
guard=$!
exec 3<&-
wait "$server"
kill -KILL "$guard"
`;
