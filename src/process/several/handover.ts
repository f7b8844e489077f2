import { type Worker } from 'node:cluster';

/** A connection that Node accepted in the primary process. */
interface Handle {
  close(): void;
}

/**
 * Closes the connection that was on its way to a process when that died. Node keeps its own copy of a connection until the
 * process has taken it, and never closes the copy if the process dies before: the client would wait for ever. A process is
 * handed one connection at a time.
 */
export function closeLostConnection({ process: child }: Worker): void {
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: Handle | undefined;
  child.send = (...args: unknown[]) => {
    const [message, handle] = args as [{ act?: unknown } | undefined, Handle | undefined];
    if (message?.act === 'newconn' && typeof handle?.close === 'function') last = handle;
    return send(...args);
  };
  child.once('exit', (status) => {
    // One that was drained has passed on what it did not take. Closing a closed handle does nothing.
    if (status !== 0) last?.close();
  });
}
