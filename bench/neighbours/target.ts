import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A server that workflows send requests to. */
export interface Target {
  url: string;
  close(): Promise<void>;
}

/** The maximum that a step stores of a response, in values that take far more memory than bytes. */
const OBJECTS = JSON.stringify(Array.from({ length: 87_000 }, () => ({})));

/** `/objects` responds with 260 kB of empty objects, `/hang` never, every other path with 204. */
export async function startTarget(): Promise<Target> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/hang') return;
    if (request.url === '/objects') response.writeHead(200, { 'content-type': 'application/json' }).end(OBJECTS);
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
