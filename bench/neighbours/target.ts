import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { chainOf } from './certificates.js';

/** A server that workflows send requests to. */
export interface Target {
  url: string;
  close(): Promise<void>;
}

/** The maximum that a step stores of a response, in values that take far more memory than bytes. */
const OBJECTS = JSON.stringify(Array.from({ length: 87_000 }, () => ({})));
/** Just below the 16 kB that a server may send, and costly: each name is compared with each constraint. */
const COSTLY_CHAIN = { names: 880, constraints: 660, authorities: 3 };

/** `/objects` responds with 260 kB of empty objects, `/hang` never, every other path with 204. */
export async function startTarget(): Promise<Target> {
  return listen('http', createServer(answer));
}

/** The same behind certificates that nobody trusts, and that take long to verify. */
export async function startSecureTarget(): Promise<Target> {
  const { cert, key } = chainOf(COSTLY_CHAIN);
  return listen('https', createSecureServer({ cert, key }, answer));
}

const answer: RequestListener = (request, response) => {
  request.resume();
  if (request.url === '/hang') return;
  if (request.url === '/objects') response.writeHead(200, { 'content-type': 'application/json' }).end(OBJECTS);
  else response.writeHead(204).end();
};

async function listen(scheme: string, server: Server): Promise<Target> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
