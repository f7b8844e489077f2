import { createServer, request } from 'node:http';

/** Listens at `port` and passes each request to one of `ports` in turn, as a load balancer does. */
export class Balancer {
  constructor() {
    this.ports = [];
    this.turn = 0;
    this.server = createServer((inbound, response) => {
      const { method, url: path, headers } = inbound;
      const port = this.ports[this.turn++ % this.ports.length];
      const forwarded = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', (error) => response.writeHead(502).end(JSON.stringify({ code: error.code })));
      inbound.pipe(forwarded);
    });
  }
  async listen(port) {
    await new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }
  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** Receives the calls of actions (`/call`, with the number of the run's hook) and events of webhooks (`/events`). */
export class Receiver {
  constructor() {
    this.calls = new Map();
    this.events = new Map();
    this.server = createServer((inbound, response) => {
      const chunks = [];
      inbound.on('data', (chunk) => chunks.push(chunk));
      inbound.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
        const [seen, key] = inbound.url === '/call' ? [this.calls, body.n] : [this.events, body.data?.id];
        seen.set(key, (seen.get(key) ?? 0) + 1);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }
  async listen() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this.server.address().port;
  }
  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
