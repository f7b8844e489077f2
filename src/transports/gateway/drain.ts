import { type Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** How long idle connections may still send, and in-flight requests take, after the port is closed; in milliseconds. */
const IDLE_MS = 2_000;
const DEADLINE_MS = 18_000;

/**
 * Closes a server without failing anybody: no new connections, answers for what is in flight or still arrives on open
 * ones, then the end of idle ones, at last of all.
 */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  // http's own close() would cut idle connections at once, on which a request may be on its way.
  NetServer.prototype.close.call(server);
  const idle = setTimeout(() => {
    const timer = setInterval(() => server.closeIdleConnections(), 100);
    void closed.then(() => clearInterval(timer));
  }, IDLE_MS);
  const cut = setTimeout(() => server.closeAllConnections(), DEADLINE_MS);
  await closed;
  clearTimeout(idle);
  clearTimeout(cut);
  // Stops the timer that looks for slow clients.
  server.close(() => undefined);
}
