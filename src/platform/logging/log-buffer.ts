import { pino, type DestinationStream } from 'pino';

/** The maximum delay of a line, in milliseconds. */
const FLUSH_MS = 100;
const FLUSH_BYTES = 8_192;
/** Of Linux. */
const PIPE_BUF = 4_096;
/** The level of pino's `error`: such lines are written at once. */
const GRAVE = 50;

/**
 * Buffered standard output: one write per line would cost a request more than the rest of its logging. A line waits at
 * most 100 ms, and never beyond an error or the end of the process, whether it exits normally or by an exception.
 */
export function bufferedStdout(): DestinationStream {
  return (stdout ??= open());
}

/**
 * The same for one of several processes with one standard output. The kernel writes up to this many bytes to a pipe as a whole,
 * so that lines of different processes don't mix.
 */
export function atomicStdout(): DestinationStream {
  return (stdout ??= open({ minLength: PIPE_BUF / 2, maxWrite: PIPE_BUF }));
}

let stdout: DestinationStream | undefined;

function open({
  minLength = FLUSH_BYTES,
  maxWrite,
}: { minLength?: number; maxWrite?: number } = {}): DestinationStream {
  const stream = pino.destination({ dest: 1, minLength, maxWrite, periodicFlush: FLUSH_MS, sync: true });
  process.on('exit', () => stream.flushSync());
  return {
    write(this: { lastLevel?: number }, line: string): void {
      stream.write(line);
      if ((this.lastLevel ?? 0) >= GRAVE) stream.flushSync();
    },
    // Asks pino to note `lastLevel` here before each line.
    [Symbol.for('pino.metadata')]: true,
  };
}
