import { pino, type DestinationStream } from 'pino';

/** A line is written at the latest so many milliseconds after it was logged. */
const FLUSH_MS = 100;
const FLUSH_BYTES = 8_192;
/** Everything as grave as pino's `error`. */
const GRAVE = 50;

/**
 * Standard output, written when lines have come together: a write for each costs a request more than all else that its
 * line takes. Nothing waits longer than 100 ms, nor behind an error, nor beyond the end of the process, of its own will
 * or by an exception.
 */
export function bufferedStdout(): DestinationStream {
  return (stdout ??= open());
}

let stdout: DestinationStream | undefined;

function open(): DestinationStream {
  const stream = pino.destination({ dest: 1, minLength: FLUSH_BYTES, periodicFlush: FLUSH_MS, sync: true });
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
