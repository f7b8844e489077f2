import { type Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Milliseconds after the port is closed: idle connections may send for IDLE_MS, and then requests in flight may finish.
 */
const IDLE_MS = 2_000;
const DEADLINE_MS = 18_000;

/**
 * Closes a server without failing a request: accepts no new connections, answers requests that are in flight or still
 * arrive on open connections, then closes idle connections, and finally all others.
 */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  // http's own close() would cut idle connections at once, although a request may be on its way on one of them.
  NetServer.prototype.close.call(server);
  const idle = setTimeout(() => {
    const timer = setInterval(() => server.closeIdleConnections(), 100);
    void closed.then(() => clearInterval(timer));
  }, IDLE_MS);
  const cut = setTimeout(() => server.closeAllConnections(), DEADLINE_MS);
  await closed;
  clearTimeout(idle);
  clearTimeout(cut);
  // Stops the timer that checks for slow clients.
  server.close(() => undefined);
}
