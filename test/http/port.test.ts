import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Port } from '../../src/process/port.js';
import { freePort } from '../support/http/free-port.js';

const CLIENTS = 400;

describe('the port', () => {
  it('accepts many connections in a turn of the event loop', async () => {
    const sockets: Socket[] = [];
    const server = createServer();
    server.on('connection', (socket) => sockets.push(socket));
    const port = await Port.open(server, 0);
    const clients = Array.from({ length: CLIENTS }, () => connect((server.address() as AddressInfo).port));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    let turns = 0;
    for (; sockets.length < CLIENTS; turns += 1) await turn();
    for (const client of clients) client.destroy();
    await port.close();
    // One socket would need a turn for each.
    expect(turns).toBeLessThan(CLIENTS / 4);
  });

  it('answers requests on all its sockets, and each connection ends before it is closed', async () => {
    const server = createServer((_request, response) => response.end('yes'));
    const port = await Port.open(server, 0);
    const number = (server.address() as AddressInfo).port;
    const clients = Array.from({ length: 64 }, () => connect(number));
    const answers = clients.map(async (client) => {
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      const [bytes] = (await once(client, 'data')) as [Buffer];
      return bytes.toString().slice(0, 15);
    });
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
    let isClosed = false;
    const closed = port.close().then(() => (isClosed = true));
    await expect(once(connect(number), 'connect')).rejects.toThrow('ECONNREFUSED');
    expect(isClosed).toBe(false);
    for (const client of clients) client.destroy();
    expect(await closed).toBe(true);
  });

  it('is refused if another process has it, or another service', async () => {
    const taken = await freePort();
    const other = createTcpServer().listen(taken);
    await once(other, 'listening');
    await expect(Port.open(createServer(), taken)).rejects.toThrow('EADDRINUSE');
    other.close();
    await once(other, 'close');
    const sharing = createServer().listen({ port: taken, reusePort: true });
    await once(sharing, 'listening');
    await expect(Port.open(createServer(), taken)).rejects.toThrow('EADDRINUSE');
    sharing.close();
    await once(sharing, 'close');
    const opened = await Promise.allSettled(Array.from({ length: 5 }, () => Port.open(createServer(), taken)));
    const [service, ...more] = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(more).toEqual([]);
    const reasons = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(reasons.map(({ code }) => code)).toEqual(Array(4).fill('EADDRINUSE'));
    await expect(Port.open(createServer(), taken)).rejects.toThrow('EADDRINUSE');
    await service!.close();
    const again = await Port.open(createServer(), taken);
    await again.close();
  });
});
